// How an office suite of the machine is asked to bring an old file into its newer form.

export type Convert = (bytes: Uint8Array, from: 'doc' | 'ppt', to: 'docx' | 'pptx') => Promise<Uint8Array>
