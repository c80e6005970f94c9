// Pages that try to run in whoever looks at what was made of them: titles, addresses, markdown, metadata and pictures
// with scripts in them. Each attempt, if it worked, would set `pwned` or open a dialog.
import type { Pages } from './page.ts'

const RUN = 'window.pwned=1;alert(1)'
const html = (body: string, title: string) => `<!doctype html><html lang="en"><head><meta charset="utf-8">
<title>${title}</title>
<meta name="description" content="&lt;img src=x onerror=${RUN}&gt;">
<meta property="og:image" content="javascript:${RUN}">
</head><body><main><article>${body}</article></main></body></html>`

/** Markdown that a naive renderer turns into html. */
const WORDS = `<h1>&lt;img src=x onerror="${RUN}"&gt;</h1>
<p>Enough words in a paragraph that it is taken for the content of the page, as any reader would take it too.</p>
<p>&lt;script&gt;${RUN}&lt;/script&gt; &lt;svg onload="${RUN}"&gt; &lt;iframe srcdoc="&lt;script&gt;parent.pwned=1&lt;/script&gt;"&gt;</p>
<p>&lt;a href="javascript:${RUN}"&gt;one&lt;/a&gt; &lt;form action="javascript:${RUN}"&gt;&lt;button&gt;go&lt;/button&gt;&lt;/form&gt;</p>
<p><a href="javascript:${RUN}">a script</a> <a href="data:text/html,<script>${RUN}</script>">data</a>
<a href="vbscript:x">vb</a> [click](javascript:${RUN}) ![x](x" onerror="${RUN})</p>
<p>&lt;style&gt;body{background:url(//evil.test/x)}&lt;/style&gt; &lt;img src="//evil.test/beacon.gif"&gt;</p>
<img src="https://evil.test/beacon.png" alt='"><script>${RUN}</script>'>
<img src="javascript:${RUN}" alt="x" onerror="${RUN}">
<pre><code>&lt;/code&gt;&lt;/pre&gt;&lt;script&gt;${RUN}&lt;/script&gt;</code></pre>
<table><tr><th>&lt;script&gt;${RUN}&lt;/script&gt;</th></tr><tr><td>&lt;img src=x onerror=${RUN}&gt;</td></tr></table>
<p><a href="/inert/%3Cscript%3E${encodeURIComponent(RUN)}%3C/script%3E?q=%22%3E%3Cimg%20src=x%20onerror=${encodeURIComponent(RUN)}%3E">on</a>
<a href="/inert/missing">gone</a></p>`

const TITLE = `&lt;/title&gt;&lt;script&gt;${RUN}&lt;/script&gt;&lt;img src=x onerror=${RUN}&gt;`

export const inertPages: Pages = {
  '/inert': ({ response }) => {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
    response.end(html(WORDS, TITLE))
  },
  '/inert/*': ({ response, url }) => {
    response.writeHead(url.pathname === '/inert/missing' ? 404 : 200, { 'content-type': 'text/html; charset=utf-8' })
    response.end(html(WORDS, TITLE))
  },
}
