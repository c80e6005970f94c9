// Two places where the parser runs on to a far end that browsers never look for, so that one slip of an author swallows
// the rest of the page. tree.ts sees when that has happened, and parses the mended text; nothing else is touched here.

/** HTML as browsers read it. Linear in its length; returns the very same string when there is nothing to mend. */
export const mendHtml = (html: string): string => endSections(endFrames(html))

const NOSCRIPT_ENDS = /<\/noscript/gi

/**
 * Scripts are on in a browser, so what a <noscript> holds is plain text up to its end. To the parser it is elements, and
 * the text of an <iframe> that is not closed (tag managers hand it out as `<iframe … />`) goes on to the end of the page.
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
/** Where a section is meant: text of scripts and styles, and the parts of drawings and formulas that hold text. */
const MEANT = /^<(?:script|style|svg|text|tspan|title|desc|math|mi|mo|mn|ms|mtext|annotation)\b/i

/**
 * In HTML `<![CDATA[` begins no section: browsers take it for a comment that the next `>` ends, and the parser for one
 * that only `]]>` does. Mended where it follows a tag; in the midst of a text or a script nothing hangs on it.
 */
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
