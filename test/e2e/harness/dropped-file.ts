import type { Page } from 'playwright-core';
import { see } from './steps.ts';

/** A file of leads as another program writes it. */
export const FILE = [
  'Company;Phone Number;E-Mail;Site;Street;Town;ST;ZIP;Looked After By',
  'Acme Dental LLC;(312) 555-0101;desk@acme-dental.example;www.acme-dental.example;12 Main St;Springfield;IL;62701;Olive',
  'Bright Smiles;312.555.0102;;bright.example;9 Oak Ave;Springfield;IL;62702;Pat',
  'Bright Smiles again;312.555.0102;info@bright.example;;;;;;Pat',
  'No Phone Bakery;12;;;;;;;',
].join('\r\n');

/** Lets go of a file above the page, as a mouse would. */
export async function drop(page: Page, name: string, text: string): Promise<void> {
  await see(page.getByText('Drop a file here'));
  const file = JSON.stringify({ name, text });
  await page.evaluate(`{
    const file = ${file};
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File([file.text], file.name, { type: 'text/csv' }));
    const target = [...document.querySelectorAll('p')].find((one) => one.textContent.startsWith('Drop a file here'));
    target.dispatchEvent(new DragEvent('drop', { bubbles: true, cancelable: true, dataTransfer }));
  }`);
}
