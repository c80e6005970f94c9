import { Parser, Tokenizer } from 'htmlparser2'
import { describe, expect, it } from 'vitest'
import { FastTokenizer } from './fast-tokenizer.ts'

function eventsOf(html: string, tokenizer: typeof Tokenizer, xmlMode: boolean, cutAt?: number): string[] {
  const events: string[] = []
  const parser = new Parser(
    {
      onopentag: (name, attribs) => events.push(`<${name} ${JSON.stringify(attribs)}`),
      onclosetag: (name, implied) => events.push(`>${name} ${implied}`),
      ontext: (text) => events.push(`text ${text}`),
      oncomment: (text) => events.push(`comment ${text}`),
      oncdatastart: () => events.push('cdata'),
      onprocessinginstruction: (name, data) => events.push(`instruction ${name} ${data}`),
    },
    { xmlMode, decodeEntities: true, Tokenizer: tokenizer },
  )
  if (cutAt !== undefined) parser.write(html.slice(0, cutAt))
  parser.end(cutAt === undefined ? html : html.slice(cutAt))
  return events
}

const CASES = [
  'plain text without a tag',
  'a < b & c &amp; d &lt;p&gt; &#8364; &nosuch; &copy',
  '<p class="a b" id=\'c"d\' data-x=1 hidden title="x &amp; y &quot;z&quot; &"">text</p>',
  '<script>if (a < b && c) document.write("</p>")</script><p>after</p>',
  '<style>a::before { content: "<" }</style><title>A &amp; B < C</title><textarea><b>&lt;</textarea>',
  '<!-- a > b -- c --><!doctype html><![CDATA[x > y]]><?php echo 1 ?>',
  '<p title="never closed',
  "<p title='never closed & cut",
  '<script>never closed < at all',
  'ends with an entity &am',
  'ends with a bracket <',
  '<a href="/x?a=1&b=2&amp;c=3">€ – 漢字 &eacute;</a><br/><img src=x alt="">',
  '<svg><title>t & u</title><path d="M0 0"/></svg>',
  '',
]

describe('the tokenizer that skips ahead', () => {
  it.each(CASES)('reads %j as the plain one does, whole and in two pieces', (html) => {
    for (const xmlMode of [false, true]) {
      expect(eventsOf(html, FastTokenizer, xmlMode)).toEqual(eventsOf(html, Tokenizer, xmlMode))
      for (let cutAt = 0; cutAt <= html.length; cutAt += 3)
        expect(eventsOf(html, FastTokenizer, xmlMode, cutAt)).toEqual(eventsOf(html, Tokenizer, xmlMode, cutAt))
    }
  })
})
