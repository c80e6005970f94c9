// A page as large as wanted, of ordinary parts: what the measurements of growth and of the event loop read.
const section = (at) =>
  `<section><h2>Section ${at}</h2><p>${'Words about the tide and the harbour, <a href="/x">with a link</a> and <em>more</em>. '.repeat(12)}</p><ul><li>one</li><li>two</li></ul><table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>2</td></tr></table></section>`

export function largePage(megabytes) {
  const sections = Array.from({ length: (megabytes * 1e6) / section(1).length }, (_, at) => section(at))
  return Buffer.from(
    `<html><body><nav><a href="/">Home</a></nav><main><h1>Large</h1>${sections.join('')}</main></body></html>`,
  )
}
