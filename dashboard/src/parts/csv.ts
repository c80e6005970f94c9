// Rows as CSV that spreadsheets open safely. Pure.

const quote = (text: string): string => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)
/** A cell that a spreadsheet would run as a formula is text. */
const cellOf = (text: string): string => quote(/^[=+\-@\t]/.test(text) ? `'${text}` : text)

export const writeCsv = (rows: readonly (readonly string[])[]): string =>
  rows.map((row) => `${row.map(cellOf).join(',')}\n`).join('')
