// Finds keys, tokens and passwords by vendor formats or a preceding keyword. Also searches addresses, where many leak.
import type { MaskedText, PrivacyFinding, PrivacyMode } from './privacy-finding.ts'

const SHAPES: readonly RegExp[] = [
  /-----BEGIN [A-Z ]{0,30}PRIVATE KEY(?: BLOCK)?-----(?:(?!-----END)[\s\S]){1,10000}(?:-----END [A-Z ]{0,30}PRIVATE KEY(?: BLOCK)?-----)?/g,
  /\beyJ[\w-]{8,4000}\.[\w-]{8,4000}(?:\.[\w-]{0,4000})?/g,
  /\b(?:AKIA|ASIA|AGPA|AIDA|AROA|ANPA)[0-9A-Z]{12,20}\b/g,
  /\bAIza[\w-]{30,40}/g,
  /\bya29\.[\w-]{20,400}/g,
  /\b(?:sk|pk|rk|whsec|sess)[-_](?:(?:live|test|proj|ant|or|svcacct|admin)[-_])?[\w-]{16,400}/g,
  /\b(?:gh[pousr]|github_pat|glpat|gldt|npm|pypi|hf|dop_v1|doo_v1|shpat|shpss|shpca|sq0[a-z]{3}|lin_api|figd|rnd|pat|dapi|r8|xai|gsk|tvly|nvapi|fly|vercel|secret|ntn|phc|sntrys|dckr_pat|atlasv1|hvs|hvb|EAAC[a-zA-Z])[-_][\w-]{16,400}/g,
  /\bxox[abeoprs]-[\w-]{10,400}/g,
  /\bxapp-\d-[\w-]{10,400}/g,
  /\bSG\.[\w-]{16,64}\.[\w-]{16,64}/g,
  /\b(?:AC|SK)[0-9a-f]{32}\b/g,
  /\bkey-[0-9a-f]{32}\b/g,
  /\bfc-[0-9a-f]{32}\b/g,
  /\b\d{8,10}:AA[\w-]{32,36}\b/g,
  /\bssh-(?:rsa|ed25519) AAAA[\w+/=]{40,1000}/g,
  /\bhooks\.slack\.com\/services\/[\w/]{20,100}/g,
  /\bdiscord(?:app)?\.com\/api\/webhooks\/\d+\/[\w-]{40,100}/g,
]
/** The password in `scheme://user:password@`. */
const PASSWORD_IN_URL = /(?<=\b[a-z][a-z0-9+]{1,15}:\/\/[^\s:@/]{0,64}:)[^\s@/]{2,128}(?=@[\w.-])/gi
const BEARER = /(?<=\b(?:Bearer|Basic|Token) )[\w.~+/=-]{16,2000}/g
const NAMES =
  "api[ _-]?(?:key|token|secret)|access[ _-]?(?:key|token)(?:[ _-]?id)?|secret(?:[ _-]?(?:key|access[ _-]?key|token))?|client[ _-]?secret|auth(?:entication)?[ _-]?token|private[ _-]?key|signing[ _-]?(?:key|secret)|encryption[ _-]?key|session[ _-]?(?:id|token|key)|refresh[ _-]?token|bearer[ _-]?token|webhook[ _-]?secret|csrf[ _-]?token|token|passwor[dt]|passwd|passphrase|passcode|pwd|pass|pin(?:[ -]?code)?|otp|credentials?|kennwort|zugangscode|api-schlüssel|schlüssel|mot de passe|clé(?: d'api| secrète| api)?|contraseña|clave(?: (?:de api|secreta|api))?|senha|palavra-passe|palavra passe|chave(?: (?:de api|secreta|api))?|chiave(?: (?:api|segreta))?|wachtwoord|hasło|hasła|klucz(?: api)?|lösenord|пароль|паролем|ключ(?: api)?|токен|şifre|parola|api anahtarı|anahtar|密码|密碼|密钥|口令|令牌|パスワード|暗証番号|APIキー|シークレット|비밀번호|암호|API 키|비밀 키|토큰|كلمة (?:المرور|السر)|مفتاح"
const ASSIGNED = new RegExp(
  `(?<![\\p{L}\\p{N}])["'\`]?[\\p{L}\\p{N}_.-]{0,40}?(?:${NAMES})["'\`\\])*]{0,3}[ \\t]{0,3}(:=|=>|[:=：＝]|(?:is|was|ist|lautet|est|es|é|è|to|jest|är|это|は|是|为|為|are|set to|هي|هو|는|은)(?=[\\s:"'\`「“]|[^\\x00-\\x7f]|[A-Za-z0-9]))[ \\t:]{0,4}(["'\`“„«「*]{0,3})([^\\s"'\`”“«»」<>,;，。、）)(]{4,500})`,
  'giu',
)
/** "secret wJalrXUt…": without a separator, only values that no word resembles. */
const SECRET_AFTER_NAME = new RegExp(
  `(?<![\\p{L}\\p{N}])(?:${NAMES})[ \\t](?=[\\w+/=-]{0,200}\\d)(?=[\\w+/=-]{0,200}[a-z])(?=[\\w+/=-]{0,200}[A-Z])([\\w+/=-]{20,200})(?![\\w+/=-])`,
  'gu',
)
/** "The password for the guest network is marigold": in prose a password may be a word. */
const PASSWORD_IN_PROSE =
  /(?<![\p{L}\p{N}])(?:(?:the |my |our |your |das |die |le |la |el |il |a |o |new |temporary )?(?:(?:wi-?fi|wlan|login|guest|admin|network|router)[ -])?(?:password|passphrase|passcode|passwort|kennwort|mot de passe|contraseña|clave|senha|palavra-passe|wachtwoord|hasło|lösenordet|lösenord|parola|şifresi|şifre|пароль))(?:(?: (?:for|to|of|at|für|du|de|do|del|della|para|per|pour|van|do|till|för|от|к)(?: \p{L}[\p{L}-]*){1,5}?)? (?:is|was|ist|lautet|est|es|é|è|to|jest|är|:|это)|:)? ["'“«]?([\p{L}\p{N}][\p{L}\p{N}!@#$%&*+_.-]{3,40})["'”»]?(?=[,.;!)]|$|\s+(?:and|until|all|for|olarak|bis|und|et|y|e|i)\b)/giu
/** Quick filter: most pages contain no such keyword. */
const PASSWORD_KEYWORD =
  /passwor|passphr|passcod|kennwort|mot de passe|contraseñ|\bclave\b|senha|palavra-passe|wachtwoord|hasło|lösenord|parola|şifre|пароль/i
const SAID_OF_IT =
  /^(?:required|optional|incorrect|correct|wrong|invalid|valid|hidden|stored|encrypted|hashed|sent|expired|needed|necessary|protected|strong|weak|short|long|secure|unsafe|changed|reset|forgotten|lost|known|shared|missing|empty|blank|different|unique|case-sensitive|managers?|fields?|policy|policies|rules?|prompt|manager|login|here|below|above|there|obligatoire|incorrect[eo]?|erforderlich|falsch|richtig|geheim|abgelaufen|requis[ea]?|oublié|obrigatória|incorreta|errata|scaduta|richiesta|wymagane|nieprawidłowe|fel|obligatoriskt|yanlış|gerekli|неверный|obligatori[ao])$/iu

const NO_VALUE =
  /^(?:required|optional|string|null|none|undefined|true|false|your|enter|please|forgot\w*|reset\w*|change\w*|hidden|invalid|incorrect|wrong|too|not|the|here|stored|never|must|should|needed|necessary|\.{3,}|\*+|x{3,}|•+|<.*|\{.*|\$\{?.*|%.*|process\.env\S*|os\.\S*|env\S*|\[.*)$/i
const LONG = /(?<![\w/.+=-])(?=[\w+/-]*\d)(?=[\w+/-]*[A-Za-z])[A-Za-z0-9_+/-]{32,200}={0,2}(?![\w/.+=-])/g

export function findSecrets({ all, words }: MaskedText, mode: PrivacyMode): PrivacyFinding[] {
  const findings: PrivacyFinding[] = []
  const add = (start: number, length: number) => findings.push({ start, end: start + length, entity: 'SECRET' })
  for (const shape of [...SHAPES, PASSWORD_IN_URL, BEARER])
    for (const found of all.matchAll(shape)) add(found.index, found[0].length)
  for (const found of all.matchAll(ASSIGNED)) {
    const [whole, mark, quote, value] = found as unknown as [string, string, string, string]
    const bare = value.replace(/[.?…:]+$/, '').replace(/\*+$/, '')
    if (isValue(bare, mark, quote)) add(found.index + whole.length - value.length, bare.length)
  }
  for (const found of PASSWORD_KEYWORD.test(words) ? words.matchAll(PASSWORD_IN_PROSE) : []) {
    const value = found[1]!.replace(/[.]+$/, '')
    const isAnnounced = /(?:is|was|ist|lautet|est|es|é|è|to|jest|är|:|это) ["'“«]?$/iu.test(
      found[0].slice(0, found[0].lastIndexOf(found[1]!)),
    )
    const isMixed = /\d/.test(value) || /[!@#$%&*+_-]/.test(value)
    if (!SAID_OF_IT.test(value) && !NO_VALUE.test(value) && (isAnnounced || isMixed))
      add(found.index + found[0].lastIndexOf(found[1]!), value.length)
  }
  for (const found of all.matchAll(SECRET_AFTER_NAME))
    add(found.index + found[0].length - found[1]!.length, found[1]!.length)
  if (mode === 'aggressive') for (const found of words.matchAll(LONG)) add(found.index, found[0].length)
  return findings
}

/** After `=` a value must be mixed or at least 8 characters long; elsewhere it must not look like a word. */
function isValue(value: string, mark: string, quote: string): boolean {
  if (value.length < 4 || NO_VALUE.test(value) || /^https?:/.test(value)) return false
  const mixed = /\d/.test(value) || /[!$%&/#@+~^|_-]/.test(value.slice(1, -1)) || /\p{Ll}\p{Lu}/u.test(value)
  if (mark === '=' || mark === ':=' || mark === '=>') return mixed || value.length >= 8
  return mixed || (quote !== '' && !/^\p{Lu}?\p{Ll}+$/u.test(value))
}
