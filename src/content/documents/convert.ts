// Converts an old Office file to its newer format with an installed office suite.

export type Convert = (bytes: Uint8Array, from: 'doc' | 'ppt', to: 'docx' | 'pptx') => Promise<Uint8Array>
