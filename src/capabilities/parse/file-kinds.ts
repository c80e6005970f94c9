// File kinds that can be parsed, as listed by GET /v2/parse/formats.

type FileKind = { extension: string; contentTypes: string[]; kind: string }

const row = (extension: string, kind: string, ...contentTypes: string[]): FileKind => ({
  extension,
  kind,
  contentTypes,
})
const OOXML = 'application/vnd.openxmlformats-officedocument'
const ODF = 'application/vnd.oasis.opendocument'

const fileKinds: readonly FileKind[] = [
  row('.html', 'html', 'text/html'),
  row('.htm', 'html', 'text/html'),
  row('.xhtml', 'html', 'application/xhtml+xml'),
  row('.pdf', 'pdf', 'application/pdf'),
  row('.docx', 'document', `${OOXML}.wordprocessingml.document`),
  row('.doc', 'document', 'application/msword'),
  row('.docm', 'document', 'application/vnd.ms-word.document.macroenabled.12'),
  row('.odt', 'document', `${ODF}.text`),
  row('.ods', 'spreadsheet', `${ODF}.spreadsheet`),
  row('.odp', 'presentation', `${ODF}.presentation`),
  row('.rtf', 'document', 'application/rtf', 'text/rtf'),
  row('.xlsx', 'spreadsheet', `${OOXML}.spreadsheetml.sheet`),
  row('.xls', 'spreadsheet', 'application/vnd.ms-excel'),
  row('.xlsm', 'spreadsheet', 'application/vnd.ms-excel.sheet.macroenabled.12'),
  row('.xlsb', 'spreadsheet', 'application/vnd.ms-excel.sheet.binary.macroenabled.12'),
  row('.pptx', 'presentation', `${OOXML}.presentationml.presentation`),
  row('.ppt', 'presentation', 'application/vnd.ms-powerpoint'),
  row('.pptm', 'presentation', 'application/vnd.ms-powerpoint.presentation.macroenabled.12'),
  row('.epub', 'ebook', 'application/epub+zip'),
  row('.csv', 'spreadsheet', 'text/csv', 'application/csv'),
  row('.tsv', 'spreadsheet', 'text/tab-separated-values'),
  row('.eml', 'email', 'message/rfc822'),
  row('.md', 'text', 'text/markdown'),
  row('.adoc', 'text', 'text/asciidoc'),
  row('.asciidoc', 'text', 'text/asciidoc'),
  row('.txt', 'text', 'text/plain'),
  row('.vtt', 'text', 'text/vtt'),
  row('.srt', 'text', 'application/x-subrip'),
  row('.json', 'text', 'application/json'),
  row('.xml', 'text', 'application/xml', 'text/xml'),
  row('.png', 'image', 'image/png'),
  row('.jpg', 'image', 'image/jpeg'),
  row('.jpeg', 'image', 'image/jpeg'),
  row('.tif', 'image', 'image/tiff'),
  row('.tiff', 'image', 'image/tiff'),
  row('.gif', 'image', 'image/gif'),
  row('.bmp', 'image', 'image/bmp'),
  row('.webp', 'image', 'image/webp'),
]

/** The extension decides; without a known one, the upload's content type does. */
export function fileKindOf(filename: string, contentType: string): FileKind | undefined {
  const ending = /\.[a-z0-9]{1,8}$/i.exec(filename)?.[0].toLowerCase()
  const byEnding = fileKinds.find(({ extension }) => extension === ending)
  if (byEnding) return byEnding
  const type = contentType.split(';', 1)[0]!.trim().toLowerCase()
  // SDKs label uploads given as a string as text/plain, whatever they are.
  return type === 'text/plain' && ending ? undefined : fileKinds.find(({ contentTypes }) => contentTypes.includes(type))
}

/** One entry per format. Every listed kind is parsed without external programs. */
export const listParseFormats = () => {
  const formats = new Map<
    string,
    { format: string; kind: 'document' | 'image'; extensions: string[]; mimeTypes: string[] }
  >()
  for (const { extension, contentTypes, kind } of fileKinds) {
    const [mimeType = ''] = contentTypes
    const known = formats.get(mimeType)
    if (known) known.extensions.push(extension)
    else
      formats.set(mimeType, {
        format: extension.slice(1),
        kind: kind === 'image' ? 'image' : 'document',
        extensions: [extension],
        mimeTypes: contentTypes,
      })
  }
  return [...formats.values()].map((format) => ({ ...format, available: true }))
}

export const unsupportedFileMessage = (withImages: boolean): string => {
  const shown = fileKinds.filter(({ kind }) => withImages || kind !== 'image').map(({ extension }) => extension)
  return `Unsupported upload type. Supported file extensions: ${shown.join(', ')}`
}
