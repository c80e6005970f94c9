// Two places where the parser runs on to a far end that browsers never look for, so that one slip of an author would
// swallow the rest of the page. The text is mended before it is parsed; in the same breath nothing else is touched.

/** HTML as browsers read it. Linear in its length; returns the very same string when there is nothing to mend. */
export const mendHtml = (html: string): string => endSections(endFrames(html))

/**
 * Scripts are on in a browser, so what a <noscript> holds is plain text up to its end. To the parser it is elements, and
 * the text of an <iframe> that is not closed (tag managers hand it out as `<iframe … />`) goes on to the end of the page.
 */
function endFrames(html: string): string {
  let out = ''
  let done = 0
  for (let at = html.indexOf('</noscript'); at >= 0; at = html.indexOf('</noscript', at + 1)) {
    const tag = html.lastIndexOf('<', at - 1)
    if (tag < done || html.slice(tag, tag + 7).toLowerCase() !== '<iframe') continue
    out += `${html.slice(done, at)}</iframe>`
    done = at
  }
  return done === 0 ? html : out + html.slice(done)
}

const SECTION = '<![CDATA['
const MARKS = /<!\[CDATA\[|<(\/?)(?:script|style|svg|math)\b/gi

/**
 * In HTML `<![CDATA[` begins no section: browsers take it for a comment that the next `>` ends, and the parser one that
 * only `]]>` does. In scripts it is text, and in drawings and formulas it is a section indeed.
 */
function endSections(html: string): string {
  if (!html.includes(SECTION)) return html
  let inside = false
  return html.replace(MARKS, (mark, slash?: string) => {
    if (slash !== undefined) inside = slash === ''
    return slash === undefined && !inside ? '<!CDATA[ ' : mark
  })
}
