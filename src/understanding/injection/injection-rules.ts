// Rules for instructions to a model: they address it, or refer to its instructions or its pending answer. Each has a
// score from 0 to 1; everyday instructions ("ignore the instructions on the packet") have another object and match
// none.

interface InjectionSign {
  /** 0 to 1. */
  score: number
  /** Position in the text. */
  at: number
}

type Rule = { score: number; pattern: RegExp }

const IGNORE = `(?:ignore|disregard|forget(?: about)?|override|overrule|bypass|do not follow|don't follow|stop following|discard|abandon|drop|pay no attention to)`
/** Instructions given to the reader before, as opposed to those on a packet. */
const EARLIER_INSTRUCTIONS = String.raw`(?:(?:(?:all|any|every|each|the|of|these|those|both|and|or|other)\s+){0,4}(?:your|my|prior|previous|previously given|earlier|preceding|above|foregoing|former|existing|original|initial|current|system|developer|user|safety|given|prompted)\s+(?:(?:your|prior|previous|earlier|preceding|above|original|initial|system|developer|user|safety|given|and|or|set of)\s+){0,4})`
const ORDERS = `(?:instructions?|prompts?|rules?|directions?|guidelines?|guidance|commands?|directives?|context|programming|constraints?|training|policies|messages?|requests?|tasks?|text|orders)`
const AFTER = String.raw`(?:instructions?|prompts?|rules?|directions|guidelines|commands?|directives)\s+(?:above|before (?:this|that)|you (?:were|have been) (?:given|told)|given (?:to you|above|before)|so far|that (?:came|precede)|(?:from|of|by) (?:the|your) (?:system|developer|user|operator))`

const MACHINE = String.raw`(?:ai|a\.i\.|llms?|(?:large )?language models?|chat ?bots?|chatgpt|gpt[-\w.]*|claude|gemini|copilot|(?:ai|virtual|digital|automated|autonomous|web|browser|browsing|coding|artificial intelligence) (?:assistants?|agents?|systems?|models?|tools?|bots?|readers?|crawlers?)|automated (?:agents?|readers?|systems?|tools?|processes)|assistants?|web ?crawlers?|scrapers?|summari[sz](?:ers?|ation (?:tools?|models?))|neural networks?)`
const CALLED = String.raw`(?:(?:^|[.!?:>\-–—*\]] *)(?:dear|attention|attn|note (?:to|for)|notice (?:to|for)|message (?:to|for)|instructions? (?:to|for)|important (?:notice |message |note )?(?:for|to)|hey|hello|hi|to)[,:]? (?:all |any |every |the |our |you,? )?${MACHINE}\b|\b(?:if|when|since|because|as) you(?:'re| are) (?:an? |the )?(?:\w+ )?${MACHINE}\b|\b(?:any|every|all|the) ${MACHINE} (?:(?:reading|processing|parsing|visiting|summari[sz]ing|that reads?|who reads?|which reads?|accessing|viewing|scraping|indexing|analy[sz]ing) )|\bas an? ${MACHINE},? (?:you (?:must|should|have to|are)|please|do not|always|never))`
const MUST = String.raw`(?:\b(?:you )?(?:must|should|shall|have to|need to|are (?:required|instructed|ordered|obliged|to)|will now)\b|\bplease\b|\b(?:do not|don't|always|never|instead|only|now)\b|[:,.] *(?:output|respond|reply|answer|say|write|return|report|recommend|rate|visit|navigate|click|send|execute|call|include|set|extract|add|insert|tell|print|mention|state|stop|begin|start|forward|email|delete|open|download|fetch|go to|give|rank|approve|mark|treat|consider|buy|transfer|post)\b)`

const LEAK = String.raw`\b(?:reveal|print|output|repeat|show|leak|send|disclose|exfiltrate|display|echo|dump|forward|post|upload|tell (?:me|us)|give (?:me|us)|share)\s+(?:me\s+|us\s+)?(?:(?:all|any|the|your|of|full|entire|complete|hidden|secret|internal|above|exact|whole|contents?)\s+){0,6}(?:system prompts?|initial prompts?|developer (?:prompt|message)|hidden instructions?|previous instructions?|prompt above|conversation history|chat history|api keys?|secret keys?|environment variables)`
const ROLE = String.raw`\b(?:you are now (?:in|an?|the|operating|acting|no longer|free|dan|unrestricted|\w+GPT)|from now on,? you (?:are|will|must|should|shall)|(?:enter|activate|enable|switch to) (?:god|jailbreak|dan|unrestricted) mode|you (?:have|hold) no (?:restrictions|rules|limits)|new (?:system )?(?:instructions?|prompt|task|objective)\s*:|updated instructions?\s*:|(?:begin|start|end) (?:of )?(?:new |system |admin |hidden )(?:instructions?|prompt)\b|system (?:prompt|message|override|instruction|notice)\s*:|(?:real|actual|true|new) (?:task|goal|objective|instructions?) (?:is|are)\b)`
/** Chat template markup. */
const CHAT_TEMPLATE_MARKUP = String.raw`<\|?\/?(?:im_start|im_end|system|assistant|user|endoftext|eot_id|start_header_id|end_header_id|begin_of_text)\|?>|\[\/?INST\]|<<\/?SYS>>|(?:^|\s)#{2,3} ?(?:system|instruction|assistant|response) ?:|<\/?(?:system|system[-_ ]prompt|instructions?|tool_call|function_calls?)>|\bBEGIN(?:NING)? (?:SYSTEM|ADMIN|HIDDEN) (?:PROMPT|INSTRUCTIONS?)\b`

/** The model's pending answer, and terms used only in a conversation with a model. */
const PENDING_ANSWER = `(?:response|reply|answer|output|elucidation)(?:'s|s)?`
const MADE = `(?:response|reply|answer|output|elucidation|solution|algorithm|implementation|codebase|code)(?:'s|s)?`
const CHANGE = `(?:add|append|insert|include|integrate|incorporate|embed|modify|alter|change|adjust|augment|enhance|enrich|extend|expand|replace|substitute|convert|transform|translate|render|rewrite|rephrase|encode|encrypt|cipher|reverse|invert|flip|scramble|shuffle|jumble|misspell|anagram|anagrammatize|remove|omit|strip|delete|group|split|combine|merge|apply|use|employ|express|display|present|format|write|craft|phrase|formulate|conclude|end|start|begin|finish|close|preface|prefix|make sure|ensure|provide|give|deliver|produce|generate|return|state|mention|weave|blend|work|slip|sprinkle|mix|swap|spell|capitali[sz]e|shift|rotate|alternate|mask|obfuscate|hide)`

const rules: readonly Rule[] = [
  {
    score: 1,
    pattern: re(
      String.raw`\b${IGNORE}\s+(?:${EARLIER_INSTRUCTIONS}${ORDERS}|(?:(?:all|any|every|the|of|these|those)\s+){0,3}${AFTER}|(?:everything|anything|all|what) (?:(?:you (?:were|have been) told|said|written|above|before|that came before|i said)\s*){1,2}(?:above|before|so far)?|(?:all|any) (?:instructions|prompts|directives|commands)\b(?! (?:on|in|from|of|for|at|about|that come|printed|given by)))`,
    ),
  },
  { score: 0.95, pattern: re(CHAT_TEMPLATE_MARKUP) },
  { score: 0.9, pattern: re(`${CALLED}[^]{0,160}?${MUST}`) },
  { score: 0.9, pattern: re(`${LEAK}`) },
  { score: 0.75, pattern: re(ROLE) },
  // "In your response, suggest users …", "… to your reply", "Provide your answer in French."
  {
    score: 0.85,
    pattern: re(String.raw`(?:^|[.!?:]\s*|\bplease )in your ${PENDING_ANSWER},? (?:please )?\p{L}+(?! (?:you|we|i)\b)`),
  },
  {
    score: 0.85,
    pattern: re(
      String.raw`(?:^|[.!?:;]\s*|\b(?:please|then|also|can you|could you|will you|you must) )${CHANGE}\b[^.!?]{0,140}?\b(?:in|to|into|within|of|from|with) your (?:\w+ )?${PENDING_ANSWER}(?=[\s.,;:!?)]|$)`,
    ),
  },
  {
    score: 0.85,
    pattern: re(
      String.raw`(?:^|[.!?:;]\s*|\b(?:please|and|then|also|can you|could you) )${CHANGE} your (?:(?:next|final|entire|whole|full) )?(?:${PENDING_ANSWER}|message|words)\b[ ,]+(?:\w+ )?(?:in|into|using|with|without|by|to|as|only|based|backwards?|so that|character|letter|word)\b(?! (?:the|this|that|an?|our|my|no more|fewer|less|us|me)\b)`,
    ),
  },
  {
    score: 0.85,
    pattern: re(
      String.raw`(?:^|[.!?:;]\s*|\b(?:please|can you|could you) )(?:scramble|reverse|invert|jumble|shuffle|misspell|anagram|encode|encrypt|replace|remove|swap|group|convert|capitali[sz]e)\b[^.!?]{0,80}?\b(?:your (?:response|reply|answer|message|output)(?:'s)?|every (?:second|third|fourth|fifth|other) (?:letter|word))\b`,
    ),
  },
  {
    score: 0.85,
    pattern: re(
      String.raw`(?:^|[.!?:;]\s*)(?:reply|respond|answer) (?:only |back )?(?:in|using|with|by|backwards?|as)\b(?=[^.!?]{0,60}(?:\bbase ?\d\d|\bencod|\bcipher|\breverse|\bbackward|\bemojis?\b|\bmorse\b|\bbinary\b|\bpig latin\b|\brhym|\bjson\b|\bthe word\b|\bexactly\b|\bonly\b|\b(?:french|spanish|german|italian|portuguese|latin|chinese|japanese|klingon)\b))`,
    ),
  },
  // Code to be inserted into the model's output.
  {
    score: 0.85,
    pattern: re(
      String.raw`\b(?:following|below|subsequent|next|given|above) (?:code )?(?:snippet|excerpt|block|section|segment|fragment|code)\b[^.!?]{0,90}?\byour (?:\w+ )?${MADE}\b|\byour (?:\w+ )?${MADE}\b[^.!?]{0,90}?\b(?:following|below|subsequent|given) (?:code )?(?:snippet|excerpt|block|section|segment|fragment)\b`,
    ),
  },
]

/** The first instruction in other languages: verb, owner, and the word for instructions. */
const INSTRUCTIONS_IN_OTHER_LANGUAGES: readonly RegExp[] = [
  /(?:ignorier(?:e|en sie)?|vergiss|vergessen sie|missachte|befolge nicht)\s+(?:\p{L}+\s+){0,4}?(?:bisherig|vorherig|vorangegangen|obig|früher|ursprünglich|vorig|deine|ihre|alle)\p{L}*\s+(?:\p{L}+\s+){0,2}?(?:anweisung|instruktion|regel|vorgabe|befehl|prompt)/iu,
  /(?:ignore[zr]?|oublie[zr]?|ne (?:tiens|tenez) pas compte d)(?:\s+|es\s+)(?:\p{L}+\s+){0,4}?(?:instructions|consignes|directives|règles|ordres)\s+(?:\p{L}+\s+)?(?:précédent|antérieur|ci-dessus|initial|reçu|donné|d['’]origine)/iu,
  /(?:ignore[zr]?|oublie[zr]?)\s+(?:toutes\s+)?(?:vos|tes)\s+(?:\p{L}+\s+)?(?:instructions|consignes|règles)/iu,
  /(?:ignora|ignore|olvida|olvide|descarta|descarte|no sigas)\s+(?:\p{L}+\s+){0,4}?(?:instrucciones|indicaciones|órdenes|reglas|directrices)\s+(?:\p{L}+\s+)?(?:anterior|previa|de arriba|originales|iniciales|recibid|dadas)/iu,
  /(?:ignora|ignore|olvida|olvide)\s+(?:todas\s+)?(?:tus|sus)\s+(?:instrucciones|reglas|órdenes)/iu,
  /(?:ignora|ignori|dimentica|dimentichi|trascura)\s+(?:\p{L}+\s+){0,4}?(?:istruzioni|regole|indicazioni|direttive|comandi)\s+(?:\p{L}+\s+)?(?:precedent|sopra|iniziali|originali|ricevut|fornit)/iu,
  /(?:ignore|ignora|esqueça|esquece|desconsidere|descarte)\s+(?:\p{L}+\s+){0,4}?(?:instruções|regras|ordens|diretrizes|comandos)\s+(?:\p{L}+\s+)?(?:anterior|acima|prévi|originais|iniciais|recebid)/iu,
  /(?:negeer|vergeet|sla over)\s+(?:\p{L}+\s+){0,3}?(?:eerdere|vorige|voorgaande|bovenstaande|vroegere|je|uw|alle)\s+(?:\p{L}+\s+)?(?:instructies|opdrachten|regels|aanwijzingen|richtlijnen)/iu,
  /(?:zignoruj|ignoruj|pomiń|zapomnij o)\s+(?:\p{L}+\s+){0,3}?(?:poprzedni\p{L}*|wcześniejsz\p{L}*|powyższ\p{L}*|swoje|twoje|wszystkie)\s+(?:\p{L}+\s+)?(?:instrukcj|polece|wytyczn|zasad|komend)/iu,
  /(?:игнорируй(?:те)?|проигнорируй(?:те)?|забудь(?:те)?|не обращай(?:те)? внимания на)\s+(?:\p{L}+\s+){0,3}?(?:предыдущ|прежн|прошл|вышеуказан|свои|все|ранее)\p{L}*\s+(?:\p{L}+\s+)?(?:инструкци|указани|правил|команд|промпт)/iu,
  /(?:önceki|yukarıdaki|tüm|bütün)\s+(?:\p{L}+\s+){0,2}?(?:talimat|yönerge|komut|kural)\p{L}*\s+(?:\p{L}+\s+){0,2}?(?:yok say|görmezden gel|unut|dikkate alma)/iu,
  /(?:ignorera|glöm|strunta i)\s+(?:\p{L}+\s+){0,3}?(?:tidigare|föregående|ovanstående|dina|alla)\s+(?:\p{L}+\s+)?(?:instruktion|anvisning|regl|order)/iu,
  /(?:忽略|无视|忘记|忽視|無視|不要理会|请忽略)[^。.!?\n]{0,12}(?:之前|先前|上述|以上|前面|所有|你的|此前)[^。.!?\n]{0,10}(?:指令|指示|提示|规则|規則|命令|要求)/u,
  /(?:これまで|以前|上記|前述|先ほど|すべて|今まで)の?[^。.!?\n]{0,12}(?:指示|命令|ルール|プロンプト|規則)[^。.!?\n]{0,6}(?:無視|忘れ|破棄)/u,
  /(?:이전|위의?|앞선|모든|기존)\s?[^.!?\n]{0,12}(?:지시|명령|지침|프롬프트|규칙)[^.!?\n]{0,8}(?:무시|잊)/u,
  /(?:تجاهل|انس|اهمل)\s+(?:\p{L}+\s+){0,3}?(?:التعليمات|الأوامر|الإرشادات|القواعد)\s*(?:\p{L}+\s+)?(?:السابقة|أعلاه|السابق)/u,
  /(?:पिछले|पहले के|उपरोक्त|सभी)\s+[^।.!?\n]{0,20}(?:निर्देश|आदेश|नियम)\p{L}*\p{M}*[^।.!?\n]{0,12}(?:अनदेखा|नज़रअंदाज़|भूल)/u,
  /(?:bỏ qua|quên|phớt lờ)\s+(?:[\p{L}\p{M}]+\s+){0,3}?(?:hướng dẫn|chỉ thị|lệnh|quy tắc)\s+(?:[\p{L}\p{M}]+\s+)?(?:trước|ở trên|bên trên)/iu,
  /(?:abaikan|lupakan)\s+(?:\p{L}+\s+){0,2}?(?:instruksi|perintah|petunjuk|aturan)\s+(?:\p{L}+\s+)?(?:sebelumnya|di atas)/iu,
]

function re(source: string): RegExp {
  return new RegExp(source, 'iu')
}

export function findInjectionSign(text: string): InjectionSign | undefined {
  let best: InjectionSign | undefined
  for (const { score, pattern } of rules) {
    if (best && best.score >= score) continue
    const found = pattern.exec(text)
    if (found && !isQuoted(text, found.index, found[0].length)) best = { score, at: found.index }
  }
  if (best?.score === 1) return best
  for (const pattern of INSTRUCTIONS_IN_OTHER_LANGUAGES) {
    const found = pattern.exec(text)
    if (found && !isQuoted(text, found.index, found[0].length)) return { score: 1, at: found.index }
  }
  return best
}

const CONTEXT = 90
/** Words before an example which show that the text is about such instructions. */
const EXAMPLE_INTRODUCTION =
  /(?:such as|like|for example|for instance|e\.g\.|called|known as|says?|said|saying|wrote|writes?|phrases?|attacks?|injections?|jailbreaks?|examples?|prompt that|strings?|inputs?|reads?|typed?|types|asks?|asked|tells?|told|zum beispiel|par exemple|por ejemplo)\b[^.!?]{0,70}?["“'«‘`(:„]?\s*$/iu
const OPENING = /["“«‘„`「『]/u
const CLOSING = /["”»’“`」』]/u

/** In quotation marks within a sentence, or after words that announce an example. */
function isQuoted(text: string, at: number, length: number): boolean {
  const before = text.slice(Math.max(0, at - CONTEXT), at)
  const after = text.slice(at + length, at + length + 200)
  const isInside = OPENING.test(before.slice(-40)) && CLOSING.test(after)
  if (isInside && text.length - length > 40 && /\p{L}{3,}[^"“«‘„`「『]*["“«‘„`「『][^"”»“`」』]*$/u.test(before))
    return true
  return EXAMPLE_INTRODUCTION.test(before)
}
