// Type of the function that converts .doc and .ppt to .docx and .pptx; scrape/workshop/convert-old-office-files.ts implements it.

export type OldOfficeConverter = (bytes: Uint8Array, from: 'doc' | 'ppt', to: 'docx' | 'pptx') => Promise<Uint8Array>
