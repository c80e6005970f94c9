// A page that checks 40 marks by which sites tell a program from a person's browser: whether what the browser says of
// itself agrees in scripts, workers, frames, style and headers. It lists those that do not.
import type { Page } from './page.ts'

/** Each is an expression in the page; `sent` are the headers of the request, `worker` and `frame` what those say. */
export const MARKS: Readonly<Record<string, string>> = {
  'navigator.webdriver is false': 'navigator.webdriver === false',
  'the getter of webdriver is native': `/native code/.test(Object.getOwnPropertyDescriptor(Navigator.prototype, 'webdriver').get)`,
  'webdriver is no property of navigator itself': `!Object.hasOwn(navigator, 'webdriver')`,
  'no global of a driver': `!Object.keys(window).concat(Object.keys(document)).some((key) => /^(cdc_|\\$cdc|__pw|__playwright|__puppeteer|_selenium|callPhantom|domAutomation)/.test(key))`,
  'the console does not read what is logged': 'consoleIsQuiet()',
  'a stack names no driver': `!/pptr|playwright|puppeteer|UtilityScript/.test(new Error().stack)`,
  'the user agent is not headless': '!/headless/i.test(navigator.userAgent)',
  'the user agent is the one sent': `navigator.userAgent === sent['user-agent']`,
  'appVersion is the rest of the user agent': `'Mozilla/' + navigator.appVersion === navigator.userAgent`,
  'vendor and product are those of the engine': `navigator.vendor === 'Google Inc.' && navigator.productSub === '20030107'`,
  'the hints have the version of the user agent': `hints.brands.some(({ brand, version }) => brand === 'Chromium' && version === major)`,
  'the full version begins with it': `high.fullVersionList.some(({ brand, version }) => brand === 'Chromium' && version.split('.')[0] === major)`,
  'the hints name a made-up brand': `hints.brands.some(({ brand }) => /not.*brand/i.test(brand))`,
  'the hints are sent as they are said': `hints.brands.every(({ brand, version }) => sent['sec-ch-ua'].includes('"' + brand + '";v="' + version + '"'))`,
  'the platform is sent as it is said': `sent['sec-ch-ua-platform'] === '"' + hints.platform + '"'`,
  'the platform is that of the user agent': `navigator.userAgent.includes(hints.platform) && navigator.platform.startsWith(hints.platform)`,
  'mobile is that of the user agent': `hints.mobile === /Mobile/.test(navigator.userAgent) && sent['sec-ch-ua-mobile'] === (hints.mobile ? '?1' : '?0')`,
  'architecture and bitness are those of the platform': `navigator.platform.includes(high.bitness === '64' ? '64' : '86') && high.architecture === 'x86'`,
  'language is the first of languages': 'navigator.language === navigator.languages[0]',
  'the languages are the ones sent': `sent['accept-language'].split(/[,;]/)[0] === navigator.languages[0]`,
  'dates are written in that language': `new Intl.DateTimeFormat().resolvedOptions().locale.split('-')[0] === navigator.language.split('-')[0]`,
  'the time zone is that of the country': `zone === new URLSearchParams(location.search).get('zone')`,
  'the clock is that of the time zone': `new Date(new Date().toLocaleString('en-US', { timeZone: zone })).getHours() === new Date().getHours()`,
  'there are plugins where PDF is shown': 'navigator.plugins.length > 0 === navigator.pdfViewerEnabled',
  'there are types where there are plugins': `('application/pdf' in navigator.mimeTypes) === navigator.plugins.length > 0`,
  'permissions agree with notifications': `(permission.state === 'prompt' ? 'default' : permission.state) === Notification.permission`,
  'WebGL names its renderer': `graphics('webgl') !== ''`,
  'WebGL 2 names the same': `graphics('webgl') === graphics('webgl2')`,
  'the renderer is one of the platform': `!/Direct3D|Metal|Apple/.test(graphics('webgl'))`,
  'fonts differ in width': `width('serif') !== width('monospace')`,
  'no font of another platform': `!['Segoe UI', 'Helvetica Neue', 'San Francisco'].some(hasFont)`,
  'the window is not larger than the screen': 'outerWidth <= screen.width && outerHeight <= screen.height',
  'the page is not larger than the window': 'outerWidth >= innerWidth && outerHeight >= innerHeight && innerHeight > 0',
  'the free part of the screen is not larger than it':
    'screen.availWidth <= screen.width && screen.availHeight <= screen.height',
  'style has the screen of scripts': `matchMedia('(device-width: ' + screen.width + 'px) and (resolution: ' + devicePixelRatio + 'dppx)').matches`,
  'colours have 24 bits': 'screen.colorDepth === 24 && screen.pixelDepth === 24',
  'a mouse, and no touch': `matchMedia('(hover: hover) and (pointer: fine)').matches && navigator.maxTouchPoints === 0`,
  'the page is seen and has the focus': `document.visibilityState === 'visible' && document.hasFocus()`,
  'a worker says the same': 'worker === self_()',
  'a frame says the same': 'frame === self_()',
}

const script = `
const hints = navigator.userAgentData, major = /Chrome\\/(\\d+)/.exec(navigator.userAgent)?.[1]
const zone = new Intl.DateTimeFormat().resolvedOptions().timeZone
const SELF = "JSON.stringify([navigator.userAgent, navigator.platform, navigator.languages, navigator.hardwareConcurrency, navigator.webdriver ?? false, new Intl.DateTimeFormat().resolvedOptions().timeZone])"
const self_ = () => eval(SELF)
const consoleIsQuiet = () => { let read = false; const error = new Error('quiet')
  Object.defineProperty(error, 'stack', { get: () => { read = true; return '' } }); console.debug(error); return !read }
const graphics = (kind) => { const gl = document.createElement('canvas').getContext(kind); if (!gl) return ''
  const more = gl.getExtension('WEBGL_debug_renderer_info'); return more ? gl.getParameter(more.UNMASKED_RENDERER_WEBGL) : '' }
const pen = document.createElement('canvas').getContext('2d')
const width = (font) => { pen.font = '40px ' + font; return pen.measureText('mmmmiiiiWWW@gauge').width }
const hasFont = (name) => ['serif', 'monospace'].every((other) => width('"' + name + '", ' + other) !== width(other))
;(async () => {
  const worker = await new Promise((resolve) => { const one = new Worker('data:text/javascript,' + encodeURIComponent('postMessage(' + SELF.replace('navigator.webdriver ?? false', 'false') + ')')); one.onmessage = ({ data }) => resolve(data); one.onerror = () => resolve('') })
  const holder = document.body.appendChild(document.createElement('iframe')), frame = holder.contentWindow.eval(SELF)
  const high = await hints.getHighEntropyValues(['fullVersionList', 'bitness', 'architecture'])
  const permission = await navigator.permissions.query({ name: 'notifications' })
  const failed = []
  for (const [mark, holds] of Object.entries(MARKS)) { let is = false; try { is = Boolean(eval(holds)) } catch {} if (!is) failed.push(mark) }
  const seen = { ua: navigator.userAgent, graphics: graphics('webgl'), screen: [screen.width, screen.height], outer: [outerWidth, outerHeight], inner: [innerWidth, innerHeight], plugins: navigator.plugins.length, sent, high, notifications: [permission.state, Notification.permission], languages: navigator.languages, zone, touch: navigator.maxTouchPoints, worker, self: self_() }
  out.textContent = JSON.stringify({ failed, seen })
  out.dataset.done = ''
})().catch((error) => { out.textContent = JSON.stringify({ failed: [String(error)] }); out.dataset.done = '' })`

export const marksPage: Page = ({ request, response }) => {
  const { 'user-agent': agent, 'accept-language': languages } = request.headers
  const hints = Object.entries(request.headers).filter(([name]) => name.startsWith('sec-ch-'))
  const sent = { 'user-agent': agent, 'accept-language': languages, ...Object.fromEntries(hints) }
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
  response.end(`<!doctype html><html lang="en"><meta charset="utf-8"><title>Marks</title><h1>Marks</h1><pre id="out"></pre>
<script>const sent = ${JSON.stringify(sent)}, MARKS = ${JSON.stringify(MARKS)};${script}</script>`)
}
