/** For the text of elements and quoted attributes in HTML and XML; control characters, which XML forbids, are dropped. */
export const escapeHtml = (text: string): string =>
  text
    .replace(/[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]|\p{Cs}/gu, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
