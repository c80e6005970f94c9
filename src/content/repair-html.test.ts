import { describe, expect, it } from 'vitest'
import { expectCost } from '../../test/cost.ts'
import { findElement, parseTree, textOfNode } from './parse-tree.ts'
import { repairHtml } from './repair-html.ts'

const read = (html: string): string => textOfNode(parseTree(html).tree)

describe('mending what would swallow a page', () => {
  it('ends a frame that a <noscript> leaves open', () => {
    for (const frame of ['<iframe src="/ns.html" />', '<iframe src="/ns.html">', '<IFRAME src=x>\n'])
      for (const name of ['noscript', 'NOSCRIPT'])
        expect(read(`<body><${name}>${frame}</${name}><p>Story</p></body>`)).toContain('Story')
  })

  it('leaves a frame alone that is closed, or stands elsewhere', () => {
    for (const html of [
      '<noscript><iframe src="x"></iframe></noscript><p>a</p>',
      '<iframe src="x"><p>b</p></iframe>',
      '<p>no frames</p>',
    ])
      expect(repairHtml(html)).toBe(html)
  })

  it('reads on after <![CDATA[ in the body, as browsers do', () => {
    expect(read('<body><![CDATA[ <div>a</div><p>Story</p> ]]></body>')).toContain('Story')
    expect(read('<body><![CDATA[ <p>Story</p>')).toContain('Story')
  })

  it('leaves sections alone in scripts, drawings and formulas', () => {
    for (const html of [
      '<script>//<![CDATA[\nif (a > b) f()\n//]]></script>',
      '<svg><text><![CDATA[a > b]]></text></svg>',
      '<math><mi><![CDATA[x]]></mi></math>',
    ])
      expect(repairHtml(html)).toBe(html)
    expect(repairHtml('<script>//<![CDATA[</script><![CDATA[ x')).toBe('<script>//<![CDATA[</script><!CDATA[  x')
  })

  it('costs no more than a pass over the page, however often the marks stand in it', () => {
    for (const mark of ['</noscript', '<iframe', '<![CDATA[', '<script', '<noscript><iframe></noscript>']) {
      const cpu = process.cpuUsage()
      repairHtml(mark.repeat(200_000))
      const { user } = process.cpuUsage(cpu)
      expectCost(user / 1000).toBeLessThan(1500)
    }
  })
})

describe('the head and the body, as browsers part them', () => {
  const body = (html: string): string => {
    const { tree } = parseTree(html)
    const found = findElement(tree, ({ name }) => name === 'body')
    return found ? textOfNode(found) : 'no body'
  }

  it('begins the body where something stands that has no place in a head', () => {
    expect(body('<html><head><title>T</title><meta charset=utf-8><div><p>Story</p></div>')).toBe('Story')
    expect(body('<head><title>T</title>Story<p> goes on</p>')).toBe('Story goes on')
    expect(body('<head><link rel=x><script>1</script><noscript><img src=x></noscript></head><p>a</p>')).toBe('no body')
  })

  it('reads a page that is nested in its own head', () => {
    const html =
      '<html><head><title>T</title><html><body class=b><h1>T</h1><p>Story</p></body></html></head></html>after'
    expect(body(html)).toBe('TStoryafter')
    expect(textOfNode(findElement(parseTree(html).tree, ({ name }) => name === 'head')!)).toBe('T')
  })

  it('takes a second <body> for the first one', () => {
    expect(body('<html><body><p>a</p><body id=x><p>b</p></body></html>')).toBe('ab')
    expect(body('<html><head><p>a</p></head><body><p>b</p></body></html>')).toBe('ab')
  })
})
