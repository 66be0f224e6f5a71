/** Hands content to the browser as a file of that name. */
export function saveFile(fileName: string, content: Blob): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = url;
  link.download = fileName;
  document.body.append(link);
  link.click();
  link.remove();
  // The browser may still be reading it when this returns.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
