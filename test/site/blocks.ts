// Block and challenge pages in the manner of the well-known guards, and pages that look like them but are honest. Our
// own words around the marks by which such pages are known.
import type { Page, Pages } from './page.ts'

const wall =
  (status: number, headers: Record<string, string>, html: string): Page =>
  ({ response }) => {
    response.writeHead(status, { 'content-type': 'text/html; charset=utf-8', ...headers })
    response.end(`<!doctype html><html>${html}</html>`)
  }

const cloudflare = `<head><title>Just a moment...</title><meta name="robots" content="noindex,nofollow"></head><body>
<div class="main-wrapper"><h1>tidewater.example</h1><p id="cf-spinner-please-wait">Verifying you are human. This may take a
few seconds.</p></div><noscript>Enable JavaScript and cookies to continue</noscript>
<script>window._cf_chl_opt={cvId:'3',cType:'managed'}</script>
<script src="/cdn-cgi/challenge-platform/h/b/orchestrate/chl_page/v1"></script></body>`

const perimeterx = `<head><title>Access to this page has been denied</title></head><body><div id="px-captcha"></div>
<p>Press &amp; Hold to confirm you are a human (and not a bot).</p>
<script>window._pxAppId='PXabcdefgh'</script><script src="/captcha/captcha.js"></script></body>`

const datadome = `<head><title>tidewater.example</title></head><body style="margin:0"><p id="cmsg">Please enable JS and disable
any ad blocker</p><script>var dd={'rt':'c','cid':'x','hsh':'y','host':'geo.captcha-delivery.com'}</script></body>`

const akamai = `<head><title>Access Denied</title></head><body><h1>Access Denied</h1>You don't have permission to access
"http&#58;&#47;&#47;tidewater.example&#47;" on this server.<p>Reference&#32;&#35;18&#46;6d2e1102&#46;1772612345&#46;1a2b3c4d</p>
<p>https&#58;&#47;&#47;errors&#46;edgesuite&#46;net&#47;18</p></body>`

const imperva = `<head><meta name="ROBOTS" content="NOINDEX, NOFOLLOW"></head><body><iframe id="main-iframe"
src="/_Incapsula_Resource?SWUDNSAI=31&incident_id=1234-5678" height="100%" width="100%">Request unsuccessful. Incapsula
incident ID: 1234000560012345678-98765</iframe></body>`

const captcha = `<head><title>One more step</title></head><body><h1>Are you a robot?</h1><form action="/verify" method="post">
<div class="g-recaptcha" data-sitekey="0000"></div><button>Continue</button></form></body>`

const turnstile = `<head><title>Attention Required!</title></head><body><h1>Please complete the security check</h1>
<div class="cf-turnstile" data-sitekey="0x0000"></div></body>`

const aboutBots = `<head><title>How sites tell people from robots</title></head><body><article><h1>How sites tell people from
robots</h1>${'<p>Some guards show a captcha, others ask the browser to solve a puzzle in JavaScript while a page says that it takes just a moment. None of that happens on this page, which only writes about it at some length.</p>'.repeat(
  6,
)}</article></body>`

export const blockPages: Pages = {
  '/block/cloudflare': wall(
    403,
    { server: 'cloudflare', 'cf-mitigated': 'challenge', 'cf-ray': '8a1b2c3d4e5f-FRA' },
    cloudflare,
  ),
  '/block/cloudflare-503': wall(503, { server: 'cloudflare', 'cf-ray': '8a1b2c3d4e5f-FRA' }, cloudflare),
  '/block/cloudflare-200': wall(200, { server: 'cloudflare' }, cloudflare),
  '/block/turnstile': wall(403, { server: 'cloudflare' }, turnstile),
  '/block/perimeterx': wall(403, { 'x-px-blocked': '1' }, perimeterx),
  '/block/datadome': wall(403, { 'x-datadome': 'protected', 'x-dd-b': '1' }, datadome),
  '/block/akamai': wall(403, { server: 'AkamaiGHost' }, akamai),
  '/block/imperva': wall(200, { 'x-iinfo': '1-2-3 NNNN', 'x-cdn': 'Imperva' }, imperva),
  '/block/captcha': wall(200, {}, captcha),
  '/block/rate': wall(
    429,
    { 'retry-after': '7' },
    '<head><title>Slow down</title></head><body><h1>Too many requests</h1></body>',
  ),
  '/plain-403': wall(
    403,
    {},
    '<head><title>Members only</title></head><body><main><h1>Members only</h1><p>The minutes of the harbour board are open to members of the board. Others may ask the harbour office for a copy, which is sent by post.</p></main></body>',
  ),
  '/about-bots': wall(200, {}, aboutBots),
}
