// Fixes two cases where the parser, unlike browsers, reads to a distant end tag and swallows the rest of the page.

export const repairHtml = (html: string): string => endSections(endFrames(html))

const NOSCRIPT_ENDS = /<\/noscript/gi

/**
 * Browsers treat <noscript> content as text; the parser builds elements, so an unclosed <iframe> inside would swallow
 * the page.
 */
function endFrames(html: string): string {
  let out = ''
  let done = 0
  for (const { index: at } of html.matchAll(NOSCRIPT_ENDS)) {
    const tag = html.lastIndexOf('<', at - 1)
    if (tag < done || html.slice(tag, tag + 7).toLowerCase() !== '<iframe') continue
    out += `${html.slice(done, at)}</iframe>`
    done = at
  }
  return done === 0 ? html : out + html.slice(done)
}

const SECTION = '<![CDATA['
const MEANT = /^<(?:script|style|svg|text|tspan|title|desc|math|mi|mo|mn|ms|mtext|annotation)\b/i

/** Browsers end `<![CDATA[` in HTML at the next `>`, the parser at `]]>`. */
function endSections(html: string): string {
  let out = ''
  let done = 0
  for (let at = html.indexOf(SECTION); at >= 0; at = html.indexOf(SECTION, at + 1)) {
    let before = at - 1
    while (before > done && html.charCodeAt(before) <= 0x20) before--
    if (html[before] !== '>') continue
    const tag = html.lastIndexOf('<', before)
    if (tag < done || MEANT.test(html.slice(tag, tag + 12))) continue
    out += `${html.slice(done, at)}<!CDATA[ `
    done = at + SECTION.length
  }
  return done === 0 ? html : out + html.slice(done)
}
