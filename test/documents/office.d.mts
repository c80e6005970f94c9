export function zip(parts: Record<string, string | Buffer>, options?: { lie?: number }): Buffer
export function docx(options?: { document?: string; macros?: boolean }): Buffer
export function pptx(): Buffer
export function odt(): Buffer
export function odp(): Buffer
export function epub(): Buffer
export function rtf(): Buffer
export function eml(): Buffer
export function csv(): Buffer
export function workbook(bookType: string): Promise<Buffer>
export function bomb(): Buffer
