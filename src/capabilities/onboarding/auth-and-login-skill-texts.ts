// Markdown texts for people and agents without a key, with this service's URLs.
import { ASSERTION_TYPE } from '../../teams/identity-assertions.ts'

export const AUTH_SCOPE = 'orbweaver:global'

export function writeAuthText(base: string, isOn: boolean): string {
  return `# How to get a key for ${base}

Every request carries \`Authorization: Bearer <key>\`. A key begins with \`fc-\`.

## With a person at hand

Ask whoever runs this service: \`npx orbweaver keys create <team> <name>\` on the machine it runs on, or the page *Keys* of the
dashboard at ${base}/. Or let the person log in by browser: ${base}/agent-onboarding/SKILL.md tells how.

## With an identity assertion

${isOn ? registration(base) : 'Registration is switched off here. The operator switches it on by naming trusted issuers in `ORB_TRUSTED_ISSUERS`.'}
`
}

const registration = (
  base: string,
): string => `An agent whose user is known to an issuer that this service trusts registers itself:

\`\`\`
POST ${base}/agent/auth
content-type: application/json

{
  "type": "identity_assertion",
  "assertion_type": "${ASSERTION_TYPE}",
  "assertion": "<signed JWT>",
  "requested_credential_type": "api_key"
}
\`\`\`

The JWT has \`typ\` \`oauth-id-jag+jwt\` and an asymmetric \`alg\`; \`aud\` is \`${base}/\`; \`exp\` lies at most five minutes ahead;
\`iat\`, \`jti\` (new each time), \`sub\`, \`email\` and \`email_verified: true\` are there.

The answer holds the key in \`credential\`, once. Refusals have an OAuth \`error\` and an \`error_description\`.
`

export const writeLoginSkillText = (base: string): string => `---
name: log-in-to-orbweaver
description: Get an API key for the web data service at ${base} with the help of a person and their browser.
---

# Log in by browser

1. Make a \`session_id\`: 32 random bytes in hexadecimal digits. Make a PKCE verifier: 32 random bytes in base64url. Keep
   both to yourself.
2. The challenge is the SHA-256 of the verifier, in base64url without padding.
3. Ask the person to open \`${base}/cli-auth?code_challenge=<challenge>#session_id=<session_id>\`, to sign in there and to
   consent. The part after \`#\` stays in their browser until they do.
4. Every two seconds, for ten minutes at most:
   \`POST ${base}/api/auth/cli/status\` with \`{"session_id": "…", "code_verifier": "…"}\`.
   \`{"status": "pending"}\` means wait. \`{"status": "complete", "apiKey": "fc-…", "apiUrl": "…"}\` comes once: keep the key.
5. Send it as \`Authorization: Bearer <key>\`, for example to \`POST ${base}/v2/scrape\` with \`{"url": "https://example.com"}\`.
`
