// Rows as CSV that spreadsheets open safely. Pure.

const quote = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)
/** Spreadsheets run text that begins like this as a formula; plain numbers are none. The service has the same rule. */
const isFormula = (text: string): boolean => /^[=+\-@\t\r]/.test(text) && !/^[+-]\d[\d.,]*$/.test(text)
const cellOf = (text: string): string => quote(isFormula(text) ? `'${text}` : text)

export const writeCsv = (rows: readonly (readonly string[])[]): string =>
  rows.map((row) => `${row.map(cellOf).join(',')}\n`).join('')
