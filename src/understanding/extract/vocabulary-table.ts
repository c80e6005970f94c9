// The vocabulary as a table: id ; kind ; words people ask and label with ; paths in schema.org objects ; names of <meta>. One
// concept a line, read by vocabulary.ts.

export const TABLE = `
name ; text ; name|title|headline|heading|product name|item name|full name|page title|label|bezeichnung|titel|nom|titre|nombre|titulo|nome|naam|titolo|название|名前|タイトル|标题|main heading|main title|headline text ; name headline title ; ogTitle title
description ; text ; description|summary|abstract|overview|about|intro|introduction|excerpt|beschreibung|zusammenfassung|resume|descripcion|descrizione|descricao|omschrijving|описание|説明|描述|synopsis|plot|short description|blurb|meta description|teaser|kurzbeschreibung|bio|biography|about app|about product|about item|about book|about event|about company|about course|about role|about job|about property|product description|item description|job description|course description|about project|about film ; description abstract ; description ogDescription
subtitle ; text ; subtitle|sub title|subheading|sub heading|tagline|standfirst|dek|deck|untertitel|sous titre|subtitulo|sottotitolo|sub headline|subline ; alternativeHeadline
cta ; text ; cta|cta text|cta label|call action|call to action|button text|cta button|primary cta|primary cta text|cta button text
price ; money ; price|cost|current price|price per night|nightly price|monthly price|price per month|price month|starting price|sale price|selling price|unit price|price amount|amount|fee|tuition|ticket price|entry fee|rent|monthly rent|preis|prix|precio|prezzo|preco|prijs|pris|cena|цена|価格|价格|値段|listing price|asking price|price from|nightly rate|ticket cost|room price|kaufpreis|kaltmiete|precio venta ; offers.price offers.lowPrice offers.priceSpecification.price price itemReviewed.offers.price ; product:price:amount og:price:amount
listPrice ; money ; original price|list price|regular price|old price|was price|rrp|msrp|compare at price|price before discount|full price|uvp|statt|ancien prix|precio anterior|adviesprijs|previous price|price original|before price|alter preis|precio original|prezzo originale|prix barre|ursprungspreis ; offers.priceSpecification.price offers.highPrice ; product:original_price:amount
discount ; number ; discount|discount percent|discount percentage|percent off|saving percent|rabatt|remise|descuento|sconto
currency ; text ; currency|currency code|price currency|wahrung|devise|moneda|valuta|moeda|salary currency|pay currency|currency symbol ; offers.priceCurrency priceCurrency offers.priceSpecification.priceCurrency baseSalary.currency ; product:price:currency og:price:currency
inStock ; truth ; in stock|available|availability|stock|stock status|is available|is in stock|verfugbarkeit|lieferbar|disponibilite|disponibilidad|disponibilita|disponible|beschikbaarheid|tillganglighet|dostepnosc|dostupnost|наличие|在庫|库存|en stock|auf lager|vorratig|in magazzino|op voorraad ; offers.availability availability ; product:availability og:availability
sku ; text ; sku|item number|item no|article number|product code|product number|product no|produktnummer|bestellnummer|bestell nr|商品番号|货号|item code|part number|model number|artikelnummer|art nr|artikel nr|reference|referencia|codice prodotto|артикул|objektnummer|objekt nr|listing id|listing number|property id|reference number|ref no|mls|mls number|anzeigennummer|item id|product id ; sku productID mpn offers.sku identifier.value
gtin ; text ; gtin|ean|upc|barcode|gtin13|ean13 ; gtin13 gtin gtin12 gtin14 gtin8 offers.gtin13
mpn ; text ; mpn|manufacturer part number ; mpn
brand ; text ; brand|brand name|manufacturer|maker|make|made by|vendor|produttore|znacka|vyrobce|メーカー|品牌|브랜드|marke|hersteller|marque|fabricant|marca|fabricante|merk|producent|бренд|производитель|ブランド ; brand.name brand manufacturer.name manufacturer vendor ; product:brand og:brand
model ; text ; model|model name|modell|modele|modelo|modello ; model.name model
color ; text ; color|colour|farbe|couleur|kleur|colore|cor|цвет|色 ; color ; product:color
material ; text ; material|materiau|materiale|materiaal|fabric|composition|supply ; material supply.name
features ; text ; feature|key feature|ausstattung|merkmale|eigenschaften|caracteristicas|caracteristiques|caratteristiche|equipement|equipamiento|kenmerken ; featureList additionalProperty.name
origin ; text ; country origin|origin|made|made in|manufactured|manufactured in|fabrique|fabrique en|hergestellt|herkunft|herkunftsland|ursprungsland|fabricado|fabricado en|paese origine|pais origen|pay origine ; countryOfOrigin.name countryOfOrigin
size ; text ; size|grosse|taille|talla|taglia|tamanho|maat|tallas|tailles|taglie|grossen|file size|download size|app size ; size fileSize
weight ; number ; weight|item weight|net weight|gewicht|poid|peso|вес|重量 ; weight.value weight
condition ; text ; condition|item condition|zustand|etat|estado ; offers.itemCondition itemCondition ; product:condition
category ; text ; category|categorie|kategorie|categoria|product category|genre|rubrik ; category articleSection genre applicationCategory recipeCategory ; product:category articleSection
rating ; number ; rating|average rating|star rating|score|star|rating value|review score|bewertung|note|valoracion|valutazione|avaliacao|beoordeling|оценка|評価|guest rating|user rating|overall rating|customer rating|review rating|avg rating|puntuacion|punteggio|sterne|etoiles|nota ; aggregateRating.ratingValue reviewRating.ratingValue ratingValue starRating.ratingValue upvoteCount rating.average rating.value averageRating
ratingScale ; number ; best rating|max rating|rating scale ; aggregateRating.bestRating reviewRating.bestRating
reviewCount ; count ; review count|number review|rating count|number rating|total review|vote|upvote|upvote count|vote count|number vote|bewertungen|anzahl bewertung|avis|nombre avis|recensioni|opiniones|отзывов|レビュー数|numero opiniones|numero resenas|anzahl bewertungen|numero recensioni|opinion count ; aggregateRating.reviewCount aggregateRating.ratingCount reviewCount upvoteCount rating.count reviewsCount numReviews
image ; image ; image|image url|picture|photo|main image|cover image|cover|thumbnail|thumbnail url|poster|img|featured image|hero image|bild|imagen|immagine|imagem|afbeelding|画像|avatar|avatar url|headshot|profile picture|profile image|picture url|photo url|hero image url|foto ; image.url image.contentUrl image thumbnailUrl logo ; ogImage
logo ; image ; logo|logo url|company logo|logo image|brand logo ; logo.url logo publisher.logo.url hiringOrganization.logo.url hiringOrganization.logo
url ; url ; url|link|href|page url|canonical url|product url|permalink|web address|detail url ; url offers.url contentUrl @id ; canonical ogUrl
website ; url ; website|homepage|home page|company website|webseite|site web|sitio web|sito web|official site ; sameAs url
author ; text ; author|thread starter|topic starter|original poster|asker|reviewer|reviewer name|commenter|author username|author name|username|user name|user|poster|posted by|written by|byline|writer|autor|auteur|autore|verfasser|posted by|автор|著者 ; author.name author creator.name creator ; author article:author
developer ; text ; developer|developed by|app developer|game developer|entwickler|desarrollador ; author.name creator.name publisher.name
published ; date ; published|asked date|date asked|created|date created|creation date|posted date|review date|comment date|publication date|date published|publish date|published date|published at|published on|posted|post date|posted on|date posted|date|release date|released|released on|erschienen|erscheinungsdatum|veroffentlicht|veroffentlichungsdatum|datum|date publication|fecha|fecha publicacion|data|data pubblicazione|gepubliceerd|datum publicatie|дата|公開日|日付|release year|publication year|year released|published year|listed on|date listed|fecha publicado|publicado|publicado el|publie|pubblicato ; datePublished uploadDate datePosted dateCreated startDate releaseDate ; publishedTime dcDate dcDateCreated dcTermsCreated date
modified ; date ; modified|date modified|last modified|updated|last updated|update date|updated at|updated on|aktualisiert|mis jour|actualizado|aggiornato|обновлено|更新日 ; dateModified ; modifiedTime
publisher ; text ; publisher|publisher name|publication|verlag|editeur|editorial|editore|editora|uitgever|site name|source|издатель|出版社 ; publisher.name publisher ; ogSiteName
section ; text ; section|article section|forum|forum section|forum name|board|forum board|subforum|sub forum|forum category|thread category|topic category|ressort ; articleSection ; articleSection
tags ; text ; tag|topic|label list|schlagworte|schlagwort|mots cle|etiqueta|etichette|palavra chave ; keywords ; articleTag
keywords ; text ; keyword|meta keyword|seo keyword ; keywords ; keywords articleTag
language ; text ; language|sprache|langue|idioma|lingua|taal|язык ; inLanguage ; language
body ; text ; body|question body|question detail|body text|message|post text|post content|reply text|message text|content|article body|text|full text|article text|texto|testo|texte|inhalt|nachricht ; articleBody text reviewBody
wordCount ; count ; word count|number word ; wordCount
readingTime ; count ; reading time|read time|reading time minute|minute read|lesezeit ; timeRequired
isbn ; text ; isbn|isbn13|isbn 13 ; isbn workExample.isbn
pages ; count ; page|number page|page count|num page|seiten|seitenzahl|paginas|nombre page|pagine|страниц ; numberOfPages
edition ; text ; edition|book edition|auflage ; bookEdition
bookFormat ; text ; format|binding|book format|einband ; bookFormat encodingFormat fileFormat distribution.encodingFormat
genre ; text ; genre ; genre
director ; text ; director|directed by|regie|regisseur|regista ; director.name director
actors ; text ; actor|cast|starring|besetzung|darsteller|acteur|reparto ; actor.name actor actors.name
duration ; duration ; duration|est time|estimated time|est duration|estimated duration|walking time|length|runtime|running time|dauer|spieldauer|laufzeit|duree|duracion|durata|duracao|duur|time required|required time|time needed ; duration timeRequired totalTime minutes durationMinutes
contentRating ; text ; content rating|age rating|certificate|fsk ; contentRating
phone ; phone ; phone|telephone|phone number|telephone number|tel|ph|call|mobile|contact phone|telefon|telefonnummer|telefono|telefone|telefoon|телефон|電話番号|電話 ; telephone contactPoint.telephone address.telephone location.telephone
fax ; phone ; fax|fx|fax number|faxnummer|telefax ; faxNumber
email ; email ; email|e mail|email address|mail|contact email|e mail adresse|correo|courriel|correo electronico|メール ; email contactPoint.email
address ; text ; address|addr|full address|street address full|postal address|location address|adresse|anschrift|direccion|indirizzo|endereco|adres|адрес|住所 ; address location.address jobLocation.address
street ; text ; street|street address|address line|address line 1|line1|strasse|rue|calle|via|rua|straat ; address.streetAddress streetAddress location.address.streetAddress jobLocation.address.streetAddress
city ; text ; city|town|locality|address locality|stadt|ort|ville|ciudad|citta|cidade|stad|plaats|город ; address.addressLocality addressLocality location.address.addressLocality jobLocation.address.addressLocality
region ; text ; state|region|province|county|bundesland|provincia|regione|estado ; address.addressRegion addressRegion location.address.addressRegion jobLocation.address.addressRegion
postalCode ; text ; postal code|zip|zip code|postcode|zipcode|plz|postleitzahl|code postal|codigo postal|cap|cep ; address.postalCode postalCode location.address.postalCode jobLocation.address.postalCode
country ; text ; country|country code|country name|land|pay|pais|paese|страна|国 ; address.addressCountry.name address.addressCountry addressCountry.name addressCountry location.address.addressCountry jobLocation.address.addressCountry countryOfOrigin applicantLocationRequirements.name
latitude ; number ; latitude|lat ; geo.latitude latitude location.geo.latitude ; place:location:latitude
longitude ; number ; longitude|lng|lon|long ; geo.longitude longitude location.geo.longitude ; place:location:longitude
openingHours ; text ; opening hour|hour|business hour|store hour|offnungszeiten|offnungszeit|horaire|horario|orari|openingstijden|часы работы|営業時間|opening time|hours operation|trading hour|office hour|gallery hour ; openingHours
priceRange ; text ; price range|price level ; priceRange
cuisine ; text ; cuisine|food type|kuche|cocina|cucina ; servesCuisine recipeCuisine
startDate ; date ; start date|start|start time|event date|begin|beginning|when|date time|event time|datum uhrzeit|beginn|fecha inicio|data inizio|debut|opening date|open date|von|departure date ; startDate
endDate ; date ; end date|end|end time|ende|fin|fecha fin|data fine|bis|return date ; endDate
venue ; text ; venue|gallery|theatre|theater|stadium|arena|concert hall|location|place|location name|venue name|where|veranstaltungsort|lieu|lugar|luogo|local|locatie|место|会場|場所|ubicacion|emplacement|localizacion|standort ; location.name jobLocation.address.addressLocality location
organizer ; text ; organizer|organised by|presented by|organiser|host|organized by|hosted by|veranstalter|organisateur|organizador ; organizer.name organizer
performers ; text ; performer|speaker|artist|lineup|line up|band ; performer.name performer byArtist.name
eventStatus ; text ; event status ; eventStatus
company ; text ; company|company name|business name|organization name|organisation name|firm name|agency name|provider name|employer|hiring organization|organization|organisation|firma|unternehmen|arbeitgeber|entreprise|empresa|azienda|bedrijf|компания|会社|hiring company|company title|recruiter company|institution|affiliation ; hiringOrganization.name hiringOrganization worksFor.name provider.name seller.name offers.seller.name affiliation.name
jobTitle ; text ; job title|position|role|job|stelle|poste|puesto|cargo|functie ; title jobTitle
jobLocation ; text ; job location|work location|office|arbeitsort|standort|lieu travail|ubicacion ; jobLocation.address.addressLocality jobLocation.address
salary ; text ; salary|pay|compensation|salary range|wage|gehalt|salaire|salario|stipendio|salaris|зарплата|給与|pay range|salary information|compensation range|remuneration|base salary|annual salary|vergutung|remuneracion|pay rate|hourly rate|hourly pay|hourly wage|annual pay|monthly salary|yearly salary|pay amount ; baseSalary.value.value baseSalary.value baseSalary
salaryMin ; money ; salary min|min salary|minimum salary|salary from|base salary min|pay min|pay range min|salary range min|compensation min|min pay|minimum pay|pay range minimum|salary range minimum|pay from|salary minimum|salary low ; baseSalary.value.minValue baseSalary.minValue
salaryMax ; money ; salary max|max salary|maximum salary|salary to|base salary max|pay max|pay range max|salary range max|compensation max|max pay|maximum pay|pay range maximum|salary range maximum|pay to|salary maximum|salary high ; baseSalary.value.maxValue baseSalary.maxValue
minValue ; number ; min|minimum|min amount|minimum amount|min value ; minValue value.minValue lowPrice
maxValue ; number ; max|maximum|max amount|maximum amount|max value ; maxValue value.maxValue highPrice
period ; text ; period|pay period|unit text|interval|per|billing period|pay frequency ; unitText value.unitText billingDuration baseSalary.value.unitText baseSalary.unitText
employmentType ; text ; employment type|job type|contract type|contract|type employment|working time|anstellungsart|beschaftigungsart|type contrat|tipo contrato|jornada|dienstverband|work type|position type|arbeitszeit|vertragsart ; employmentType
workplace ; text ; workplace|workplace type|work mode|work arrangement|remote type|location type|work model|arbeitsmodell ; jobLocationType
remote ; truth ; remote|is remote|remote allowed|telecommute|home office ; jobLocationType
validThrough ; date ; valid through|deadline|application deadline|closing date|apply by|срок|termin|frist|scadenza|prazo|締切|due date|expire|expiry date|expiration date|valid until|bewerbungsfrist|date limite|fecha limite|price valid until|offer valid until|offer end ; validThrough offers.priceValidUntil offers.validThrough
experience ; text ; experience|experience requirement|required experience|seniority|year experience|experience level|experience required|berufserfahrung|experiencia ; experienceRequirements
benefits ; text ; benefit|job benefit|perk|leistungen|what we offer|perk benefit|our offer|we offer|your benefit|wir bieten|was wir bieten|das bieten wir|why join us|beneficios|avantage|you will get|you ll get|what you will get|what you get|was wir dir bieten ; jobBenefits
amenities ; text ; amenity|facility|hotel amenity|hotel facility|ausstattung|einrichtungen|equipement|equipamiento|servizi|comodidades|voorzieningen ; amenityFeature.name amenityFeature
maxGuests ; count ; max guest|guest|sleep|max occupancy|occupancy|number guest|max person|person|personen|personas|personnes|gaste|capacity ; occupancy.maxValue occupancy.value maximumAttendeeCapacity
groupSize ; text ; group size|gruppengrosse|taille groupe|tamano grupo|class size
pets ; truth ; pet allowed|pet friendly|pet|allow pet|haustiere|haustiere erlaubt|animaux|animaux acceptes|mascotas|animali ammessi|huisdieren ; petsAllowed
responsibilities ; text ; responsibility|dutie|duty|aufgaben|what you will do|what you ll do|your role|your task|key responsibility|task|your responsibility|deine aufgaben|ihre aufgaben|funciones|mission|job responsibility|job dutie ; responsibilities
qualifications ; text ; qualification|requirement|skill|anforderungen|profil|what you bring|what we re looking for|what we are looking for|what we look for|who you are|your profile|you have|about you|must have|what you need|what you ll need|dein profil|ihr profil|requisitos|profil recherche|minimum qualification|required skill|required qualification|job requirement|you will need|you ll need|what you will need ; qualifications skills
day ; text ; day|weekday|day week|dayofweek|tag|jour|dia|giorno|dag ; dayOfWeek
ingredients ; text ; ingredient|ingredient list|zutaten|zutat|ingredienti|ingrediente|ingredienten|ингредиенты|材料 ; recipeIngredient ingredients
instructions ; text ; instruction|step|direction|method|preparation|recipe instruction|zubereitung|anleitung|preparacion|preparazione|elaboracion|bereiding|etape|приготовление|作り方|schritt|schritte|arbeitsschritte|pasos|etapes|stappen ; recipeInstructions step
prepTime ; duration ; prep time|preparation time|prep|vorbereitungszeit|temp preparation|tiempo preparacion|tempo preparazione|voorbereidingstijd ; prepTime
cookTime ; duration ; cook time|cooking time|cook|kochzeit|backzeit|garzeit|temp cuisson|tiempo coccion|tempo cottura|kooktijd ; cookTime
totalTime ; duration ; total time|ready in|gesamtzeit|temp total|tiempo total|tempo totale|totale tijd ; totalTime
servings ; count ; serving|yield|recipe yield|portion|serve|portionen|personen|personne|porciones|porzioni|porcoes|personas|porties|порций ; recipeYield yield
calories ; number ; calorie|kcal|energy|energie|kalorien|calorias ; nutrition.calories
cuisineType ; text ; recipe cuisine ; recipeCuisine
difficulty ; text ; difficulty|level|skill level|schwierigkeit|schwierigkeitsgrad|difficulte|dificultad|difficolta|moeilijkheid ; educationalLevel difficulty
question ; text ; question|frage|pregunta|domanda|q ; name
answer ; text ; answer|accepted answer|antwort|respuesta|risposta|reponse|a ; acceptedAnswer.text
reviewText ; text ; review|review text|review body|quote|testimonial|testimonial text|quotation|comment|comment text|kommentar|feedback|comentario|opinion text|commentaire ; reviewBody text description
replies ; count ; reply count|reply|comment count|number comment|number reply|comment number ; commentCount answerCount interactionStatistic.userInteractionCount
version ; text ; version|current version|latest version|software version ; softwareVersion version
license ; text ; license|licence|lizenz ; license
operatingSystem ; text ; operating system|platform|os|betriebssystem ; operatingSystem
downloads ; count ; download|number download|download count|weekly download ; interactionStatistic.userInteractionCount
views ; count ; view|view count|number view|aufrufe|vue|visualizacione ; interactionStatistic.userInteractionCount interactionCount
totalResults ; count ; total result|result count|total count|number result|total item|total listing|item count|listing count|anzahl treffer|total match ; numberOfItems
bedrooms ; count ; bedroom|number bedroom|bed|schlafzimmer|chambre|habitaciones|dormitorio|camere letto|slaapkamer ; numberOfBedrooms
bathrooms ; count ; bathroom|number bathroom|bath|badezimmer|bano|salle bain|bagni|badkamer ; numberOfBathroomsTotal numberOfFullBathrooms
rooms ; count ; room|number room|zimmer|piece|stanze|locali|kamer ; numberOfRooms
area ; number ; area|floor area|living area|square feet|square footage|sqft|size sqm|wohnflache|superficie|surface|woonoppervlakte|living space|interior size|floor size|size m2|superficie habitable ; floorSize.value
commission ; text ; commission|buyer commission|kauferprovision|provision|courtage|agency fee
heating ; text ; heating|heating type|heizung|heizungsart|chauffage|calefaccion|riscaldamento
plot ; number ; plot area|plot size|lot size|land area|plot|grundstuck|grundstucksflache|terrain|parcela ; lotSize.value
availableFrom ; text ; available from|move in|move in date|bezugsfrei ab|bezugsfrei|frei ab|verfugbar ab|disponible partir|disponible desde|availability date ; availabilityStarts
energyClass ; text ; energy class|energy rating|energy efficiency class|energy efficiency rating|epc|epc rating|classe energie|dpe|energieeffizienzklasse|energieklasse|certificado energetico|classe energetica|energielabel
furnished ; truth ; furnished|is furnished|meuble|mobliert|amueblado|arredato|gemeubileerd
floor ; text ; floor|floor level|floor number|etage|planta|piano|stockwerk|verdieping
year ; count ; year|year built|built|baujahr|construction year|model year|annee|ano|anno|jahr|jaar|bouwjaar|anio|any|bj|ano modelo|manufacture year|matriculacion ; vehicleModelDate yearBuilt productionDate
mileage ; number ; mileage|odometer|kilometerstand|kilometrage|kilometraje|chilometraggio|kilometros|kilometro|kilometre|kilometer|km|mile|mileage km|odometer reading ; mileageFromOdometer.value mileageFromOdometer
fuel ; text ; fuel|fuel type|kraftstoff|carburant|combustible|carburante|brandstof ; fuelType vehicleEngine.fuelType
transmission ; text ; transmission|gearbox|getriebe|boite vitesse|cambio|transmision|versnellingsbak ; vehicleTransmission
horsepower ; number ; horsepower|engine power|power|hp|potencia|leistung|puissance|potenza|vermogen|ps|cv ; vehicleEngine.enginePower.value
doors ; count ; door|number door|puertas|turen|portes|deuren|porte ; numberOfDoors
founded ; text ; founded|founded year|founding year|year founded|founding date|founded in|established|year founded|gegrundet|fondee|fundada|fondata|opgericht ; foundingDate
employees ; count ; employee|number employee|headcount|staff|mitarbeiter|employe|empleados|dipendenti|employee count|team size|company size|number staff|people on board ; numberOfEmployees.value numberOfEmployees
founder ; text ; founder|founded by|grunder|fondateur|fundador|fondatore ; founder.name founder
vatId ; text ; vat|vat id|vat number|vat no|ust id|ust idnr|ust id nr|umsatzsteuer id|tva|numero tva|nif|cif|partita iva|tax id ; vatID taxID
ceo ; text ; ceo|chief executive|chief executive officer|managing director|geschaftsfuhrer|geschaftsfuhrerin|vertreten durch|represented by|executive director
owner ; text ; owner|owner name|inhaber|inh|proprietor|proprietaire|propietario|titolare|eigenaar|inhaberin
birthDate ; date ; birth date|birthdate|birth year|year birth|born|date birth|birthday|geburtsdatum|geboren ; birthDate
deathDate ; date ; death date|deathdate|date of death|passed away|died|date death|gestorben ; deathDate
birthPlace ; text ; birth place|place birth|birthplace|geburtsort ; birthPlace.name birthPlace
nationality ; text ; nationality|citizenship|nationalitat ; nationality.name nationality
occupation ; text ; occupation|profession|beruf ; jobTitle hasOccupation.name
almaMater ; text ; alma mater|alumni|graduated|university attended ; alumniOf.name alumniOf
interests ; text ; research interest|interest|expertise|area expertise|areas expertise|areas interest|field expertise|knows about|forschungsschwerpunkte ; knowsAbout
seller ; text ; seller|vendor|sold by|merchant|shop|store|verkaufer|haendler|vendeur|vendedor|seller name|vendor name|dealer|dealer name|handler ; offers.seller.name seller.name
shipping ; text ; shipping|delivery|shipping time|delivery time|lieferzeit|versand|livraison|envio|spedizione ; offers.shippingDetails
warranty ; text ; warranty|guarantee|garantie|garantia|garanzia ; warranty
instructor ; text ; instructor|teacher|lecturer|dozent|trainer|coach|taught by|tutor|profesor|formateur|lehrer ; instructor.name hasCourseInstance.instructor.name
provider ; text ; provider|offered by|anbieter ; provider.name provider
artist ; text ; artist|musician ; byArtist.name
album ; text ; album ; inAlbum.name
doi ; text ; doi ; doi ; citation_doi
journal ; text ; journal|journal name ; isPartOf.name ; citation_journal_title
position ; count ; position|rank|place number|pos|platz|puesto|posicion|posizione|plaats ; position
team ; text ; team|club|equipo|equipe|mannschaft|verein|squadra|ploeg|druzyna|команда|チーム ; name
played ; count ; played|game played|match played|game|match|pj|mp|sp|spiele|partidos jugado|partidos|giocate|gespeeld|игры ; gamesPlayed
points ; count ; point|pts|pkt|punto|punkte|punti|punten|очки|勝点 ; points
won ; count ; won|win|w|pg|siege|ganados|vinte|gewonnen ; wins
lost ; count ; lost|loss|l|pp|niederlagen|perdidos|perse|verloren ; losses
term ; text ; term|semester|academic term ; term
method ; text ; method|http method|request method|verb ; method
path ; text ; path|endpoint|route|url path|request path|api path ; path
partOfSpeech ; text ; part speech|word class|wortart|categoria gramatical ; partOfSpeech
pronunciation ; text ; pronunciation|ipa|phonetic|phonetic spelling|aussprache|pronunciacion ; pronunciation
courseCode ; text ; course number|course code|course id|kursnummer ; courseCode
department ; text ; department|abteilung|departement|departamento|afdeling ; department.name department
seatsLeft ; count ; spot left|space left|place left|seat left|spot available|space available|place available|seat available|available spot|available seat|available space|remaining spot|remaining seat|spot remaining|freie platze|places disponibles|plazas disponibles ; remainingAttendeeCapacity
quantity ; count ; quantity|qty|menge|anzahl|quantite|cantidad|quantita|aantal ; orderQuantity quantity
total ; money ; total|line total|order total|grand total|total amount|total due|amount due|gesamtbetrag|gesamtsumme|montant total|importe total|totale ; totalPaymentDue.price total
tax ; money ; tax|vat|sale tax|tax amount|vat amount|mwst|mehrwertsteuer|tva|iva|btw
shippingCost ; money ; shipping|delivery|shipping cost|shipping fee|delivery fee|delivery cost|shipping price|postage|versandkosten|frais port|gastos envio|verzendkosten|shipping handling ; offers.shippingDetails.shippingRate.value
eligibility ; text ; eligibility|eligible|who can apply|who is eligible|eligibility criteria|eligibility requirement|who can use|who it is|who should apply|voraussetzungen
documents ; text ; required document|document required|document needed|needed document|document you need|what you need|what you will need|what you ll need|supporting document|before you start|unterlagen|documentos requerido|pieces justificatives
ticker ; text ; ticker|ticker symbol|stock symbol|symbol|stock ticker ; tickerSymbol
destination ; text ; destination|to|arrival station|going to|ziel|nach|destino|vers|bestemming ; arrivalStation.name arrivalAirport.name
track ; text ; platform|plat|track|gleis|quai|voie|anden|binario|spoor|gate ; departurePlatform departureGate
vin ; text ; vin|vin number|vehicle identification number|chassis number|fahrgestellnummer|fin ; vehicleIdentificationNumber
engineSize ; text ; engine size|engine|engine capacity|displacement|engine displacement|hubraum|cilindrada|cylindree|cilindrata ; vehicleEngine.engineDisplacement engineDisplacement
age ; count ; age|alter|edad|eta|leeftijd
likes ; count ; like|like count|number like|gefallt mir|me gusta ; interactionStatistic.userInteractionCount
subscribers ; count ; subscriber|subscriber count|number subscriber|follower|follower count|number follower|abonnenten|abonnes|seguidores ; interactionStatistic.userInteractionCount
homeTeam ; text ; home team|home side|home club|heim|heimmannschaft|equipo local ; homeTeam.name
awayTeam ; text ; away team|away side|visiting team|away club|visitor|gast|equipo visitante ; awayTeam.name
homeScore ; count ; home score|home goal|home team score|home point
awayScore ; count ; away score|away goal|away team score|away point
`
