// Advice for docs/errors.md, to which API responses link.
import type { ProblemName } from './problem.ts'

export const problemHelp: Readonly<Partial<Record<ProblemName, string>>> = {
  bad_request:
    'An option has the wrong name, kind or size. `details` lists each place. The error text suggests the option that was probably meant.',
  invalid_json:
    'The body is not JSON. Look for a missing quote or an extra comma, and send `Content-Type: application/json`.',
  invalid_url:
    'Send `url` as an absolute URL such as `https://example.com/page`. Only `http` and `https` can be visited.',
  invalid_job_id:
    'Ids look like `019a8b6e-0000-7000-8000-000000000000`. Use the `id` from the response that started the job.',
  unauthorized:
    'Send the header `Authorization: Bearer fc-…`. The field `hint` says what was wrong: no key, no `Bearer`, or an unknown key. `npx orbweaver keys` lists the keys of this machine.',
  no_credit:
    'The team has used up its credits: an administrator adds some under *Teams* in the dashboard. Or the key has used up its language model for this month (`modelTokensPerMonth`, `modelCostPerMonth`).',
  forbidden: 'The key is valid, but lacks a right or is restricted. The error text names the right or the restriction.',
  refused_address:
    'The URL belongs to a private network. The operator can allow it with `ORB_ALLOW_PRIVATE`, for example `ORB_ALLOW_PRIVATE=10.0.0.5:8080`.',
  prompt_injection: 'The page contains instructions for a language model, and `checkPromptInjection` is on.',
  unsafe_domain: 'The threat protection of the team or of this call blocks the site. See [threats.md](threats.md).',
  left_alone: 'The host is in `ORB_LEAVE_ALONE`, which holds for every team. See [site-owners.md](site-owners.md).',
  use_reserved:
    'The page or its site opts out of a use that the team declares in its policy; `details` names the statement. See [site-owners.md](site-owners.md).',
  not_found: 'No route or record has this path. Check the path and the method; records of other teams are not shown.',
  job_not_found: 'There is no such job in your team, or its results have expired.',
  flow_not_found: 'There is no flow of this name in your team, or not this version. `GET /v2/flow` lists them.',
  vault_not_found: 'There is no vault entry of this name in your team. `GET /v2/vault` lists the names.',
  flow_step_not_found:
    'The page has no element that matches the step, or several. `details` has the picture of the page and the nearest candidates; edit the step and `PUT` the flow.',
  flow_step_failed: 'The element was there, but the step had no effect. `details` has the picture of the page.',
  no_cached_data: 'Leave out `minAge` to visit the site, or lower it.',
  lockdown_miss: 'Leave out `lockdown` once, so that the page is fetched and cached.',
  wrong_method: 'The path exists for another HTTP method. [The API](/docs/api) lists them.',
  timeout: 'The work took longer than `timeout`. Raise it, request fewer formats, or set `fastMode`.',
  pdf_time: 'Raise `timeout`, or read fewer pages: `"parsers": [{ "type": "pdf", "maxPages": 10 }]`.',
  queue_timeout:
    'All slots of the team were in use for the whole `timeout`. Try again, or send fewer requests at once.',
  map_timeout: 'Set a larger `timeout`, or a smaller `limit`.',
  too_large: 'Send a smaller request body. Files of up to 50 MB can be uploaded with `POST /v2/parse/upload-url`.',
  wrong_media_type: 'Send JSON with the header `Content-Type: application/json`.',
  unsupported_file: 'This kind of file cannot be read. `GET /v2/parse/formats` lists those that can.',
  unreadable_file: 'The file is damaged, encrypted or empty.',
  pdf_ocr_required: 'The PDF is a scan. Use `"mode": "auto"` or `"ocr"`.',
  rate_limited: 'Too many calls in a minute. Wait for the time in the header `Retry-After`.',
  too_busy: 'Too many pages at once for the plan of the team. Wait for the time in `Retry-After`, or use a batch.',
  internal:
    'This is a fault of the service. Its log has the same request id as the header `x-request-id` of the response.',
  dns_failed: 'The host name does not resolve. Check its spelling; the site may also be gone.',
  tls_failed: 'The certificate of the site is not valid. `skipTlsVerification: true` visits it anyway.',
  site_failed: 'The site closed or refused the connection, or its response was invalid. Try again later.',
  blocked:
    'The site returned a block page instead of its content. A proxy (`proxy: "enhanced"`) or a profile with a login can help.',
  redirect_loop: 'The site redirects in a circle. Cookies or a profile may end it.',
  action_failed:
    'A step could not be run. The error text has the number, type and selector of the step; a `wait` before it often helps.',
  proxy_failed: 'The configured proxies do not respond.',
  all_engines_failed:
    'Neither plain HTTP nor the browser could fetch the page. The error text gives the reason for each of them.',
  browser_failed: 'The browser crashed. Try again; `npx orbweaver doctor` checks the installation.',
  not_offered: 'This service does not have that capability.',
  no_browser: 'This needs Chromium, and the machine has none. `npx orbweaver browser` installs one.',
  no_sandbox: 'Code of callers runs only in a sandbox, and this machine has none. See [interact.md](interact.md).',
  search_unavailable: 'No provider responded and the own index has no match. [Set up a provider](search-providers.md).',
  unavailable: 'The service is starting, stopping or lacks a part. The error text names it.',
}
