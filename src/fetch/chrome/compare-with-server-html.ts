// Compares a rendered page with the document that the server sent.

const SILENT_TAG = /^<(script|style|noscript|template|title|svg)\b/i
/** Less text is a placeholder that scripts may replace. */
const MIN_SENT_CHARS = 400
/** Scripts rightly drop copies for other screen sizes, notices and overlays. */
const MIN_RENDERED_SHARE = 0.5
const MIN_SHARE_WITHOUT_HEADING = 0.8

export function hasRenderingLostText(rendered: string, sent: string): boolean {
  const before = textLengthOfHtml(sent)
  if (before < MIN_SENT_CHARS) return false
  const share = textLengthOfHtml(rendered) / before
  return share < MIN_RENDERED_SHARE || (share < MIN_SHARE_WITHOUT_HEADING && !hasHeadingOf(sent, rendered))
}

/** Characters outside tags and silent elements, without white space; one pass bounds the time on hostile input. */
export function textLengthOfHtml(html: string): number {
  let length = 0
  let at = 0
  while (at < html.length) {
    const tag = html.indexOf('<', at)
    const end = tag === -1 ? html.length : tag
    for (; at < end; at++) if (html.charCodeAt(at) > 32) length++
    if (tag === -1) break
    const [, silent] = SILENT_TAG.exec(html.slice(tag, tag + 12)) ?? []
    at = silent ? closeOf(html, silent, tag) : after(html, html.startsWith('<!--', tag) ? '-->' : '>', tag)
  }
  return length
}

function closeOf(html: string, name: string, from: number): number {
  const close = new RegExp(`</${name}\\b`, 'gi')
  close.lastIndex = from
  return close.exec(html)?.index ?? html.length
}

function after(html: string, mark: string, from: number): number {
  const at = html.indexOf(mark, from)
  return at === -1 ? html.length : at + mark.length
}

const HEADING = /<h1\b[^>]{0,2000}>(.{1,2000}?)<\/h1/is

function hasHeadingOf(sent: string, rendered: string): boolean {
  const words =
    HEADING.exec(sent)?.[1]
      ?.replace(/<[^>]*>|&\w+;/g, ' ')
      .match(/[\p{L}\p{N}]{2,}/gu) ?? []
  return words.every((word) => rendered.includes(word))
}

/** Shows the document as it was sent: scripts that are set by `innerHTML` do not run. */
export const makeShowServerHtmlScript = (sent: string): string =>
  `void (document.documentElement.innerHTML = new DOMParser().parseFromString(${JSON.stringify(sent)}, 'text/html').documentElement.innerHTML)`
