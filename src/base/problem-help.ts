// Advice for docs/errors.md, to which API responses link.
import type { ProblemName } from './problem.ts'

export const problemHelp: Readonly<Partial<Record<ProblemName, string>>> = {
  bad_request:
    'An option has the wrong name, kind or size. `details` lists each place. The text names the option that was probably meant.',
  invalid_json:
    'The body is not JSON. Look for a missing quote or a comma too many, and send `Content-Type: application/json`.',
  invalid_url: 'Send `url` as an address such as `https://example.com/page`. Only `http` and `https` can be visited.',
  invalid_job_id: 'Ids look like `019a8b6e-0000-7000-8000-000000000000`. Take the `id` that the start of the job gave.',
  unauthorized:
    'Send the header `Authorization: Bearer fc-…`. The field `hint` says what was wrong: no key, no `Bearer`, or an unknown key. `npx orbweaver keys` lists the keys of this machine.',
  no_credit: 'The team has used up its credits. An administrator adds some under *Teams* in the dashboard.',
  forbidden: 'The key is good, but not for this. The text names the right or the restriction.',
  refused_address:
    'The address belongs to a private network. The operator can allow it by `ORB_ALLOW_PRIVATE`, for example `ORB_ALLOW_PRIVATE=10.0.0.5:8080`.',
  prompt_injection: 'The page tries to give orders to a language model, and your team asked to be protected from that.',
  unsafe_domain: 'The threat protection of the team or of this call blocks the site. See [threats.md](threats.md).',
  not_found:
    'No route or record has this address. Look at the path and the method; records of other teams are not shown.',
  job_not_found: 'There is no such job in your team, or its time is over.',
  flow_not_found: 'There is no flow of this name in your team, or not this version. `GET /v2/flow` lists them.',
  vault_not_found: 'There is no vault entry of this name in your team. `GET /v2/vault` lists the names.',
  flow_step_not_found:
    'The page has no element that answers to the step, or several. `details` has the picture of the page and the nearest candidates; edit the step and `PUT` the flow.',
  flow_step_failed: 'The element was there, but the step had no effect. `details` has the picture of the page.',
  no_cached_data: 'Leave out `minAge` to visit the site, or ask for a younger copy.',
  lockdown_miss: 'Leave out `lockdown` once, so that the page is fetched and kept.',
  wrong_method: 'The path exists for another HTTP method. [The API](/docs/api) lists them.',
  timeout: 'The work took longer than `timeout`. Give more time, ask for fewer formats, or set `fastMode`.',
  pdf_time: 'Give more `timeout`, or read fewer pages: `"parsers": [{ "type": "pdf", "maxPages": 10 }]`.',
  queue_timeout: 'All places of the team were taken for the whole of `timeout`. Try again, or ask for fewer at once.',
  map_timeout: 'Set a larger `timeout`, or a smaller `limit`.',
  too_large: 'Send less at once. Files go through `POST /v2/parse/upload-url`, up to 50 MB.',
  wrong_media_type: 'Send JSON with the header `Content-Type: application/json`.',
  unsupported_file: 'This kind of file cannot be read. `GET /v2/parse/formats` lists those that can.',
  unreadable_file: 'The file is damaged, encrypted or empty.',
  pdf_ocr_required: 'The PDF is a scan. Use `"mode": "auto"` or `"ocr"`.',
  rate_limited: 'Too many calls in a minute. Wait as long as the header `Retry-After` says.',
  too_busy: 'Too many pages at once for the plan of the team. Wait as long as `Retry-After` says, or use a batch.',
  internal:
    'This is a fault of the service. Its log has the same request id as the header `x-request-id` of the answer.',
  dns_failed:
    'The name of the site does not lead to an address. Look for a slip in the name; the site may also be gone.',
  tls_failed: 'The certificate of the site is not valid. `skipTlsVerification: true` visits it all the same.',
  site_failed: 'The site broke off, refused the connection or answered nonsense. Try again later.',
  blocked:
    'The site shows a wall instead of its content. A proxy (`proxy: "enhanced"`) or a profile with a login can help.',
  redirect_loop: 'The site sends visitors in a circle. Cookies or a profile may end it.',
  action_failed:
    'A step could not be run. The text has its number, its kind and its selector; a `wait` before it often helps.',
  proxy_failed: 'The proxies that the operator set do not answer.',
  all_engines_failed: 'Neither plain HTTP nor the browser could fetch the page. The text has the reason of each.',
  browser_failed: 'The browser broke down. Try again; `npx orbweaver doctor` tells more.',
  not_offered: 'This service does not offer that part.',
  no_browser: 'This needs Chromium and the machine has none. `npx orbweaver browser` fetches one.',
  no_sandbox: 'Code of callers runs in a sandbox alone, and this machine offers none. See [interact.md](interact.md).',
  search_unavailable: 'No provider answered and the own index holds nothing. See [search.md](search.md) to set one.',
  unavailable: 'The service is starting, stopping or lacks a part. The text names it.',
}
