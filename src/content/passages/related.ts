// Words that ask for each other: who asks what something costs wants its price. Few and plain, in the languages people
// mostly ask in; each line is one meaning. It must not grow into a dictionary.
import { folded, stem } from './terms.ts'

const MEANINGS = [
  'cost price fee charge rate pay paid payment tariff expensive amount kosten preis gebühr kostet prix coût tarif coûte precio cuesta costo coste preço custo prezzo costa цена стоит стоимость ücret fiyat cena kosztuje',
  'found founded founder founders established establish started create created launched inception gegründet gründung gründer fondé fondée fondateur fundada fundado fundador fondato fondata основан основана основатель założona',
  'ceo chief executive director president head leader geschäftsführer leiter vorstand directeur directora presidente direttore директор',
  'buy purchase order kaufen bestellen acheter comprar acquistare купить',
  'open opening opens hours öffnungszeiten geöffnet öffnet horaires ouvert horario abre abierto orari aperto часы открыт',
  'refund refunded return returns moneyback reimburse rückerstattung rückgabe erstattung remboursement reembolso devolución rimborso',
  'ship shipping delivery deliver delivered dispatch versand lieferung liefern lieferzeit livraison envío entrega spedizione consegna доставка',
  'author wrote written writer autor verfasser geschrieben auteur écrit autora escrito autore scritto автор',
  'born birth birthday birthplace geboren geburt né née naissance nació nacido nasceu nato nata родился родилась',
  'die died death dead gestorben starb tod mort décédé murió muerte morreu morto умер',
  'located location address lies situated headquarters headquartered based standort adresse sitz liegt situé adresse siège ubicado ubicación dirección sede localizado indirizzo situato адрес находится расположен',
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

const kin: ReadonlyMap<string, readonly string[]> = meanings()

function meanings(): Map<string, string[]> {
  const table = new Map<string, string[]>()
  for (const line of MEANINGS) {
    const words = [...new Set(line.split(' ').map((word) => stem(folded(word))))]
    for (const word of words) table.set(word, [...(table.get(word) ?? []), ...words.filter((other) => other !== word)])
  }
  return table
}

/** Terms that mean much the same; `term` as `termsOf` makes it. */
export const related = (term: string): readonly string[] => kin.get(term) ?? []
