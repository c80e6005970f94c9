// Stemmer and stop words per language. Other languages are searched by whole words.
import { stemmer as arabic } from '@orama/stemmers/arabic'
import { stemmer as armenian } from '@orama/stemmers/armenian'
import { stemmer as bulgarian } from '@orama/stemmers/bulgarian'
import { stemmer as danish } from '@orama/stemmers/danish'
import { stemmer as dutch } from '@orama/stemmers/dutch'

import { stemmer as finnish } from '@orama/stemmers/finnish'
import { stemmer as french } from '@orama/stemmers/french'
import { stemmer as german } from '@orama/stemmers/german'
import { stemmer as greek } from '@orama/stemmers/greek'
import { stemmer as hungarian } from '@orama/stemmers/hungarian'
import { stemmer as hindi } from '@orama/stemmers/indian'
import { stemmer as indonesian } from '@orama/stemmers/indonesian'
import { stemmer as irish } from '@orama/stemmers/irish'
import { stemmer as italian } from '@orama/stemmers/italian'
import { stemmer as lithuanian } from '@orama/stemmers/lithuanian'
import { stemmer as nepali } from '@orama/stemmers/nepali'
import { stemmer as norwegian } from '@orama/stemmers/norwegian'
import { stemmer as portuguese } from '@orama/stemmers/portuguese'
import { stemmer as romanian } from '@orama/stemmers/romanian'
import { stemmer as russian } from '@orama/stemmers/russian'
import { stemmer as serbian } from '@orama/stemmers/serbian'
import { stemmer as spanish } from '@orama/stemmers/spanish'
import { stemmer as swedish } from '@orama/stemmers/swedish'
import { stemmer as tamil } from '@orama/stemmers/tamil'
import { stemmer as turkish } from '@orama/stemmers/turkish'
import { stemmer as ukrainian } from '@orama/stemmers/ukrainian'
import { stemmer as english } from 'stemmer'

export type WritingScript = 'latin' | 'cyrillic' | 'arabic' | 'devanagari' | 'greek' | 'armenian' | 'tamil'

export interface SearchLanguage {
  code: string
  script: WritingScript
  stem(word: string): string
  stop: ReadonlySet<string>
}

const row = (
  code: string,
  script: WritingScript,
  stem: (word: string) => string,
  stop = '',
): [string, SearchLanguage] => [code, { code, script, stem, stop: new Set(stop.split(' ').filter(Boolean)) }]

export const searchLanguages: ReadonlyMap<string, SearchLanguage> = new Map([
  row(
    'en',
    'latin',
    english,
    'a an and are as at be been but by can could did do does for from had has have how i if in into is it its may me might my no not of on or our should so such than that the their them then there these they this those to was we were what when where which who whom why will with would you your about',
  ),
  row(
    'de',
    'latin',
    german,
    'aber als am an auch auf aus bei bin bis da das dass dem den der des die dir doch du durch ein eine einem einen einer eines er es fur hat habe haben ich ihr im in ist ja mein mich mir mit nach nicht noch nur ob oder ohne sein seine sich sie sind so um und uns unter vom von vor wann war was wenn wer werden wie wir wird wo zu zum zur uber man kann welche welcher welches warum',
  ),
  row(
    'fr',
    'latin',
    french,
    'a au aux avec ce ces cette dans de des du elle en est et il ils je la le les leur leurs lui ma mais mes mon ne nos notre nous on ou par pas plus pour qu que quel quelle quelles quels qui sa se ses son sont sur ta te tes toi ton tu un une vos votre vous y ete etre ont comment quand pourquoi d l c s n j m t',
  ),
  row(
    'es',
    'latin',
    spanish,
    'a al ante como con cual cuando de del desde donde el ella ellas ellos en entre era es esa ese eso esta este esto fue ha hay la las le les lo los mas me mi mis muy ni no nos o os para pero por porque que quien se ser si sin sobre son su sus tambien te tu tus un una uno y ya',
  ),
  row(
    'it',
    'latin',
    italian,
    'a ad ai al alla alle anche c che chi ci come con cosa cui d da dal dalla dei del della delle di dove e ed era gli ha hanno i il in io l la le lei lo loro lui ma mi mia mio ne nei nel nella no noi non o per perche piu quando quale quali quello questa questo se si sono su sua sul sulla suo ti tra tu un una uno vi voi',
  ),
  row(
    'pt',
    'latin',
    portuguese,
    'a ao aos as ate com como da das de dela dele do dos e ela ele eles em entre era essa esse esta este eu foi ha isso isto ja la lhe mais mas me mesmo meu minha muito na nao nas nem no nos o os ou para pela pelo por porque qual quando que quem se sem ser seu sua sao sobre tambem te tem um uma voce',
  ),
  row(
    'nl',
    'latin',
    dutch,
    'aan als bij dan dat de der deze die dit door een en er had heb heeft het hij hoe ik in is je kan maar me met mijn naar niet nog nu of om onder ons ook op over te tot uit van voor waar wanneer waren was wat we welke werd wie wij worden wordt zal ze zich zij zijn zo waarom',
  ),
  row(
    'sv',
    'latin',
    swedish,
    'att av de den det dig din du ej eller en er ett for fran ha han har hon hur i inte jag kan man med men mig min nar nu och om oss pa sa sig sin som till under upp ut var vad vem vi vid ar',
  ),
  row(
    'da',
    'latin',
    danish,
    'af alle at da de den der det dig din dog du eller en er et for fra ham han har havde hun hvad hvem hvor hvornar i ikke jeg kan man med men mig min nar nu og om op os pa sig som sa til ud var vi ved',
  ),
  row(
    'no',
    'latin',
    norwegian,
    'alle at av da de den der det du eller en er et for fra ha han har hun hva hvem hvor hvordan i ikke jeg kan man med men meg min nar na og om opp oss pa seg som sa til ut var vi ved',
  ),
  row(
    'fi',
    'latin',
    finnish,
    'ei en et han hanen he ja jos joka jotka kuin kun me mika mita mutta ne niin nyt on ovat se sen siina tai te tama taman voi oli olla mina sina miten missa milloin miksi',
  ),
  row(
    'hu',
    'latin',
    hungarian,
    'a az egy es hogy nem is ez de meg csak van volt mint vagy ha mar ki mi mit hol mikor hogyan miert',
  ),
  row(
    'ro',
    'latin',
    romanian,
    'a al ale au ca care ce cu cum de din este fi in la mai nu o pe pentru prin sa sau se si sunt un una unde cand',
  ),
  row('tr', 'latin', turkish, 'bir bu da de icin ile ve ya ki mi ne nasil neden nerede o olan olarak gibi daha cok en'),
  row(
    'id',
    'latin',
    indonesian,
    'ada adalah akan apa bagaimana dan dari dengan di ini itu juga ke kita pada saya untuk yang tidak',
  ),
  row('ga', 'latin', irish),
  row('lt', 'latin', lithuanian),
  row(
    'ru',
    'cyrillic',
    russian,
    'а без бы был была были было в вам вас весь во вот все вы где да для до его ее если есть же за и из или им их к как какая какие какой когда кто ли мне мы на над надо нас не него нее нет ни них но о об он она они оно от по под при с со так также такой там то только том ты у уже чем что чтобы это этот я почему',
  ),
  row(
    'uk',
    'cyrillic',
    ukrainian,
    'а але без в він вона вони до з за і із й як який коли на не ні о про та так те ти то у це що чи я де',
  ),
  row('bg', 'cyrillic', bulgarian, 'а в да е за и из как като на не от по при с са се те то това че я'),
  row('sr', 'cyrillic', serbian),
  row('ar', 'arabic', arabic, 'في من على الي عن مع هذا هذه ذلك التي الذي ما لا لم هل كيف متي اين كان او ثم ان هو هي و'),
  row(
    'hi',
    'devanagari',
    hindi,
    'का की के को में से है हैं था थे थी और या यह वह ये वे पर ने भी तो कि जो एक इस उस कर ही हो क्या कैसे कब कहाँ कहां क्यों कौन लिए किया करने',
  ),
  row('ne', 'devanagari', nepali),
  row(
    'el',
    'greek',
    greek,
    'και το τα η ο οι του της των τον την με σε για απο στο στη στην που ειναι να θα δεν ενα μια πως ποτε που τι γιατι',
  ),
  row('hy', 'armenian', armenian),
  row('ta', 'tamil', tamil),
])

const ALIASES: ReadonlyMap<string, string> = new Map([
  ['nb', 'no'],
  ['nn', 'no'],
  ['in', 'id'],
  ['ms', 'id'],
  ['mr', 'hi'],
  ['hr', 'sr'],
  ['bs', 'sr'],
])

/** For `de-AT`, `nb`, …; undefined if not listed. */
export function findLanguage(stated: string | undefined): SearchLanguage | undefined {
  const code = /^[a-z]{2}/i.exec(stated ?? '')?.[0].toLowerCase()
  return code === undefined ? undefined : searchLanguages.get(ALIASES.get(code) ?? code)
}
