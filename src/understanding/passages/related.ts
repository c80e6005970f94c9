// Words that ask for each other: who asks what something costs wants its price. Plain words of everyday questions, in the
// languages people mostly ask in; each line is one meaning. It must not know any page, nor the terms of a trade.
import { ENGLISH, KINDS, LOOSE } from './english.ts'
import { folded, stem } from './terms.ts'

const MEANINGS = [
  'cost price fee surcharge charge rate pay paid payment tariff expensive amount kosten preis gebühr kostet prix coût tarif coûte precio cuesta costo coste preço custo prezzo costa цена стоит стоимость ücret fiyat cena kosztuje',
  'found founded founder founders established establish started create created launched inception since gegründet gründung gründer fondé fondée fondateur fondato fondata основан основана основатель założona',
  'ceo chief executive director president head leader geschäftsführer leiter vorstand directeur directora presidente direttore директор',
  'buy purchase order kaufen bestellen acheter comprar acquistare купить',
  'open opening opens hours öffnungszeiten geöffnet öffnet horaires ouvert horario abre abierto orari aperto часы открыт',
  'refund refunded return returns moneyback reimburse rückerstattung rückgabe erstattung remboursement reembolso devolución rimborso',
  'ship shipping delivery deliver delivered dispatch versand lieferung liefern lieferzeit livraison envío entrega spedizione consegna доставка',
  'author wrote written writer autor verfasser geschrieben auteur écrit autora escrito autore scritto автор',
  'born birth birthday birthplace geboren geburt né née naissance nació nacido nasceu nato nata родился родилась',
  'die died death dead gestorben starb tod mort décédé murió muerte morreu morto умер',
  'located location locate found address lies situated headquarters headquartered based standort adresse sitz liegt situé adresse siège ubicado ubicación dirección sede localizado indirizzo situato адрес находится расположен',
  'employee employees employ staff workers workforce mitarbeiter beschäftigte employés effectif empleados funcionários dipendenti сотрудников',
  'cancel cancellation terminate kündigen stornieren kündigung annuler résiliation cancelar cancelación annullare отменить',
  'maximum max limit most highest upper höchstens maximal límite máximo limite massimo',
  'minimum min least lowest mindestens minimal mínimo minimo',
  'free gratis complimentary kostenlos gratuit gratuito бесплатно',
  'contact reach email mail phone telephone call kontakt telefon contacter téléphone contacto teléfono contatto telefono контакт телефон',
  'long duration lasts last length takes dauer dauert durée dure duración dura duração durata длительность',
  'big large size area tall high height wide width deep depth weight weighs heavy größe höhe fläche groß hoch gewicht taille hauteur superficie tamaño altura superficie peso tamanho dimensione altezza высота площадь вес',
  'need required requirement requirements require necessary must benötigt erforderlich voraussetzung requis nécessaire requisito necesario necessário richiesto требуется',
  'support supported supports compatible works unterstützt kompatibel compatible soporta compatible suporta supporta поддерживает',
  'revenue turnover sales earnings income umsatz chiffre ingresos facturación receita fatturato выручка',
  'population inhabitants residents people einwohner bevölkerung habitants population habitantes población população abitanti население жителей',
  'car vehicle automobile auto wagen voiture coche carro macchina автомобиль',
  'start begin begins starts started beginning beginn beginnt startet début commence comienza inicio começa inizio inizia начало',
  'end ends finish finished deadline ende endet frist fin termine termina final fine scadenza конец',
  'win won winner winners victory gewonnen gewann sieger gagné vainqueur ganó ganador venceu vincitore победил',
  'cause caused because reason reasons due why grund ursache weil raison cause razón causa motivo ragione причина',
  'warranty guarantee garantie gewährleistung garantía garantia garanzia гарантия',
  'release released publish published publication date veröffentlicht erschienen publié sorti publicado lanzamiento pubblicato выпущен опубликован',
  'job position vacancy role stelle poste puesto empleo vaga lavoro',
  'kids children child kinder enfants niños crianças bambini дети детей',
  'contract policy agreement vertrag police contrat contrato contratto договор',
  'wifi wlan wireless internet hotspot',
  'view views overlook overlooks overlooking look looks facing aussicht blick vue vista',
  'serve serves servings feeds portions yields portionen personen raciones porções porzioni',
  'parking park parken parkplatz parkplätze stationnement aparcamiento estacionamiento parcheggio парковка',
  'ingredient ingredients contains zutaten ingrédients ingredientes ingredienti',
  'design designed designer architect engineer built planned drew entworfen architekt ingenieur geplant conçu architecte ingénieur dessiné diseñado diseñó arquitecto ingeniero projetado arquiteto progettato architetto ingegnere спроектирован архитектор инженер',
  'rise rose increase increased grow grew growth surge surged jump jumped climb climbed steigen gestiegen stieg anstieg zunahme augmenté hausse augmentation aumento aumentó subió cresceu crescita aumentato выросла рост',
  'fall fell decrease decreased drop dropped decline declined fallen gesunken sank rückgang abnahme baisse diminué bajó cayó caída queda caiu calo diminuito снижение упал',
  'frist deadline spätestens notice period within délai préavis plazo prazo preavviso termine срок',
  'valid invalid correct incorrect error fails fail failure success gültig ungültig fehler valide erreur válido error inválido erro valido errore',
  'invent invented inventor developed discovered erfunden erfinder entwickelt inventé inventeur inventado inventor inventato изобрёл изобретён',
  'build built constructed construction erbaut gebaut bau construit construction construido construcción construído costruito построен',
]

/** Verbs whose forms share too few letters to be seen as one. */
const FORMS =
  'feed fed|make made|take took taken|give gave given|go went gone|come came|see saw seen|know knew known|get got gotten|find found|hold held|keep kept|leave left|lose lost|pay paid|sell sold|send sent|spend spent|build built|buy bought|bring brought|think thought|teach taught|catch caught|begin began begun|break broke broken|choose chose chosen|drive drove driven|eat ate eaten|fall fell fallen|fly flew flown|forget forgot|grow grew grown|lead led|lend lent|lie lay|light lit|mean meant|meet met|ride rode ridden|rise rose risen|run ran|say said|shake shook|shoot shot|show shown|sing sang sung|sit sat|sleep slept|speak spoke spoken|stand stood|steal stole stolen|strike struck|swim swam|tell told|throw threw thrown|understand understood|wear wore worn|win won|write wrote written|die died dying|foot feet|tooth teeth|man men|woman women|child children|mouse mice|person people|one 1 first|two 2 second|three 3 third|four 4 fourth|five 5 fifth|six 6|seven 7|eight 8|nine 9|ten 10|twelve 12|twenty 20'

/** What a word is worth that means much the same, and one that only goes with it. */
const SAME = 0.85
const GOES_WITH = 0.65

const kin: ReadonlyMap<string, ReadonlyMap<string, number>> = meanings()
const none: ReadonlyMap<string, number> = new Map()

function meanings(): Map<string, Map<string, number>> {
  const table = new Map<string, Map<string, number>>()
  const relate = (word: string, other: string, worth: number) => {
    const known = table.get(word)
    if (known === undefined) table.set(word, new Map([[other, worth]]))
    else if (worth > (known.get(other) ?? 0)) known.set(other, worth)
  }
  const add = (line: string, worth: number) => {
    const words = line.split(' ').map((word) => stem(folded(word)))
    for (const word of words) for (const other of words) if (word !== other) relate(word, other, worth)
  }
  for (const line of [...MEANINGS, ...ENGLISH, ...FORMS.split('|')]) add(line, SAME)
  for (const line of LOOSE) add(line, GOES_WITH)
  for (const line of KINDS) {
    const [asked = '', ...words] = line.split(/:? /).map((word) => stem(word))
    for (const word of words) relate(asked, word, SAME)
  }
  return table
}

/** Terms that mean much the same or go with it, and what each is worth; `term` as `termsOf` makes it. */
export const related = (term: string): ReadonlyMap<string, number> =>
  kin.get(term) ?? kin.get(term.replace(/est$/, '')) ?? none
