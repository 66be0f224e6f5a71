/** Hands a text to the browser as a file of that name. */
export function downloadText(fileName: string, text: string, type: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = fileName;
  document.body.append(link);
  link.click();
  link.remove();
  // The browser may still be reading it when this returns.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
