// Popular domains whose pages are all their owner's, so a brand name there is not a trick.

export const WELL_KNOWN_DOMAINS: ReadonlySet<string> = new Set(
  `google.com youtube.com facebook.com instagram.com twitter.com x.com whatsapp.com wikipedia.org yahoo.com amazon.com
  amazon.co.uk amazon.de amazon.fr amazon.it amazon.es amazon.ca amazon.co.jp amazon.in amazon.com.br amazon.com.mx
  amazon.com.au amazon.nl amazon.pl amazon.se live.com microsoft.com microsoftonline.com office.com office365.com bing.com
  msn.com outlook.com skype.com xbox.com azure.com visualstudio.com windows.com linkedin.com apple.com icloud.com mac.com
  netflix.com reddit.com tiktok.com pinterest.com twitch.tv discord.com discord.gg telegram.org t.me zoom.us slack.com
  ebay.com ebay.co.uk ebay.de ebay.fr ebay.it ebay.es ebay.com.au ebay.ca etsy.com walmart.com target.com bestbuy.com
  homedepot.com lowes.com costco.com ikea.com wayfair.com macys.com kohls.com nordstrom.com sephora.com ulta.com gap.com
  nike.com adidas.com zara.com hm.com uniqlo.com asos.com zalando.de zalando.com otto.de allegro.pl aliexpress.com
  alibaba.com taobao.com tmall.com jd.com baidu.com qq.com weibo.com 163.com sina.com.cn sohu.com bilibili.com zhihu.com
  rakuten.co.jp mercadolibre.com mercadolivre.com.br flipkart.com shopee.com lazada.com bookings.com booking.com
  airbnb.com expedia.com tripadvisor.com hotels.com kayak.com skyscanner.net agoda.com trip.com ryanair.com easyjet.com
  lufthansa.com delta.com united.com aa.com southwest.com britishairways.com emirates.com uber.com lyft.com paypal.com
  stripe.com visa.com mastercard.com americanexpress.com chase.com bankofamerica.com wellsfargo.com citi.com
  capitalone.com usbank.com hsbc.com hsbc.co.uk barclays.co.uk lloydsbank.com natwest.com santander.com santander.co.uk
  ing.com ing.nl ing.de rabobank.nl abnamro.nl bnpparibas.com societegenerale.com credit-agricole.fr deutsche-bank.de
  commerzbank.de sparkasse.de ubs.com bbva.com caixabank.es itau.com.br bradesco.com.br nubank.com.br fidelity.com
  vanguard.com schwab.com robinhood.com coinbase.com binance.com kraken.com blockchain.com revolut.com wise.com n26.com
  nytimes.com washingtonpost.com wsj.com usatoday.com latimes.com cnn.com foxnews.com nbcnews.com abcnews.go.com go.com
  cbsnews.com npr.org apnews.com reuters.com bloomberg.com ft.com economist.com forbes.com businessinsider.com cnbc.com
  marketwatch.com investopedia.com bbc.com bbc.co.uk theguardian.com telegraph.co.uk independent.co.uk dailymail.co.uk
  thesun.co.uk mirror.co.uk sky.com itv.com lemonde.fr lefigaro.fr liberation.fr leparisien.fr spiegel.de zeit.de faz.net
  sueddeutsche.de bild.de welt.de heise.de golem.de elpais.com elmundo.es marca.com as.com corriere.it repubblica.it
  gazzetta.it nos.nl nu.nl telegraaf.nl dn.se aftonbladet.se vg.no dr.dk yle.fi hs.fi onet.pl wp.pl interia.pl gazeta.pl
  seznam.cz idnes.cz index.hu ria.ru lenta.ru rbc.ru yandex.ru yandex.com mail.ru vk.com ok.ru rambler.ru kommersant.ru
  hindustantimes.com indiatimes.com thehindu.com ndtv.com aljazeera.com scmp.com japantimes.co.jp asahi.com nhk.or.jp
  yahoo.co.jp naver.com daum.net kakao.com abc.net.au smh.com.au news.com.au stuff.co.nz nzherald.co.nz cbc.ca
  theglobeandmail.com globo.com uol.com.br terra.com.br folha.uol.com.br clarin.com lanacion.com.ar infobae.com
  wikimedia.org wiktionary.org wikidata.org wikihow.com britannica.com merriam-webster.com dictionary.com
  thefreedictionary.com yourdictionary.com cambridge.org oxfordlearnersdictionaries.com collinsdictionary.com
  stackoverflow.com stackexchange.com serverfault.com superuser.com askubuntu.com mathoverflow.net github.com gitlab.com
  bitbucket.org sourceforge.net npmjs.com pypi.org crates.io rubygems.org packagist.org maven.org nuget.org docker.com
  kubernetes.io python.org nodejs.org golang.org go.dev rust-lang.org ruby-lang.org php.net java.com oracle.com openjdk.org
  jquery.com reactjs.org react.dev vuejs.org angular.io w3.org w3schools.com mozilla.org developer.mozilla.org chromium.org
  webkit.org ietf.org rfc-editor.org iana.org icann.org whatwg.org ecma-international.org debian.org ubuntu.com
  fedoraproject.org redhat.com archlinux.org kernel.org gnu.org apache.org nginx.org nginx.com postgresql.org mysql.com
  sqlite.org mongodb.com redis.io elastic.co grafana.com prometheus.io hashicorp.com terraform.io ansible.com jenkins.io
  jetbrains.com eclipse.org android.com flutter.dev dart.dev kotlinlang.org swift.org tensorflow.org pytorch.org
  huggingface.co kaggle.com openai.com anthropic.com deepmind.com nvidia.com amd.com intel.com arm.com qualcomm.com
  samsung.com sony.com lg.com huawei.com xiaomi.com lenovo.com dell.com hp.com asus.com acer.com logitech.com canon.com
  nikon.com epson.com cisco.com ibm.com sap.com salesforce.com adobe.com autodesk.com vmware.com citrix.com atlassian.com
  trello.com asana.com notion.so dropbox.com box.com evernote.com mailchimp.com hubspot.com zendesk.com intercom.com
  shopify.com squarespace.com wix.com wordpress.org godaddy.com namecheap.com cloudflare.com fastly.com akamai.com
  digitalocean.com linode.com vultr.com hetzner.com ovh.com ovhcloud.com ionos.de strato.de heroku.com netlify.com
  vercel.com aws.amazon.com amazonaws.com medium.com quora.com substack.com imgur.com giphy.com flickr.com 500px.com
  unsplash.com pexels.com pixabay.com shutterstock.com gettyimages.com istockphoto.com deviantart.com behance.net
  dribbble.com figma.com canva.com spotify.com soundcloud.com bandcamp.com last.fm genius.com azlyrics.com pandora.com
  deezer.com tidal.com vimeo.com dailymotion.com hulu.com disneyplus.com hbomax.com primevideo.com paramountplus.com
  peacocktv.com crunchyroll.com imdb.com rottentomatoes.com metacritic.com letterboxd.com goodreads.com audible.com
  scribd.com archive.org gutenberg.org librarything.com worldcat.org loc.gov nasa.gov noaa.gov nih.gov cdc.gov fda.gov
  irs.gov usa.gov whitehouse.gov senate.gov house.gov congress.gov sec.gov ftc.gov fcc.gov epa.gov usgs.gov nps.gov
  weather.gov census.gov bls.gov ssa.gov va.gov state.gov defense.gov dhs.gov fbi.gov cia.gov usps.com ups.com fedex.com
  dhl.com dhl.de royalmail.com laposte.fr gov.uk nhs.uk parliament.uk service-public.fr impots.gouv.fr bund.de
  bundestag.de europa.eu un.org who.int unesco.org worldbank.org imf.org oecd.org wto.org nato.int icrc.org
  redcross.org unicef.org wwf.org greenpeace.org amnesty.org hrw.org mit.edu harvard.edu stanford.edu berkeley.edu
  princeton.edu yale.edu columbia.edu cornell.edu upenn.edu ucla.edu umich.edu washington.edu utexas.edu wisc.edu
  illinois.edu gatech.edu cmu.edu caltech.edu nyu.edu duke.edu psu.edu osu.edu ufl.edu purdue.edu ox.ac.uk cam.ac.uk
  imperial.ac.uk ucl.ac.uk ed.ac.uk ethz.ch epfl.ch tum.de uni-heidelberg.de kuleuven.be uva.nl tudelft.nl kth.se
  u-tokyo.ac.jp tsinghua.edu.cn pku.edu.cn nus.edu.sg utoronto.ca mcgill.ca ubc.ca unimelb.edu.au sydney.edu.au
  nature.com science.org sciencedirect.com springer.com wiley.com elsevier.com tandfonline.com sagepub.com jstor.org
  plos.org arxiv.org biorxiv.org pubmed.gov researchgate.net academia.edu ieee.org acm.org aps.org acs.org rsc.org
  webmd.com mayoclinic.org healthline.com medlineplus.gov clevelandclinic.org drugs.com nhs.net doctolib.fr
  espn.com nfl.com nba.com mlb.com nhl.com fifa.com uefa.com premierleague.com formula1.com skysports.com
  bleacherreport.com cbssports.com si.com goal.com transfermarkt.de flashscore.com olympics.com
  steampowered.com steamcommunity.com epicgames.com roblox.com minecraft.net ea.com ubisoft.com blizzard.com battle.net
  riotgames.com leagueoflegends.com playstation.com nintendo.com ign.com gamespot.com polygon.com kotaku.com pcgamer.com
  weather.com accuweather.com timeanddate.com wunderground.com meteofrance.com wetter.com
  allrecipes.com foodnetwork.com epicurious.com bonappetit.com seriouseats.com chefkoch.de marmiton.org bbcgoodfood.com
  yelp.com zomato.com opentable.com doordash.com grubhub.com ubereats.com deliveroo.co.uk just-eat.co.uk
  zillow.com realtor.com redfin.com trulia.com rightmove.co.uk zoopla.co.uk immobilienscout24.de leboncoin.fr idealo.de
  mobile.de autoscout24.de autotrader.com cars.com kbb.com edmunds.com tesla.com ford.com toyota.com bmw.com
  mercedes-benz.com volkswagen.de audi.com honda.com nissan.com hyundai.com kia.com volvo.com
  indeed.com glassdoor.com monster.com ziprecruiter.com craigslist.org gumtree.com nextdoor.com meetup.com eventbrite.com
  ticketmaster.com stubhub.com change.org gofundme.com kickstarter.com indiegogo.com patreon.com
  theverge.com wired.com techcrunch.com arstechnica.com engadget.com gizmodo.com cnet.com zdnet.com pcmag.com
  tomshardware.com anandtech.com slashdot.org ycombinator.com hackaday.com lifehacker.com mashable.com vox.com vice.com
  buzzfeed.com huffpost.com slate.com salon.com theatlantic.com newyorker.com time.com newsweek.com
  nationalgeographic.com smithsonianmag.com scientificamerican.com newscientist.com livescience.com space.com phys.org
  foursquare.com mapquest.com openstreetmap.org waze.com speedtest.net duckduckgo.com ecosia.org startpage.com
  qwant.com ask.com aol.com att.com verizon.com t-mobile.com xfinity.com comcast.net vodafone.com orange.fr free.fr sfr.fr
  telekom.de o2online.de telefonica.com movistar.es bt.com protonmail.com proton.me fastmail.com gmx.net gmx.de web.de
  t-online.de posteo.de thunderbird.net signal.org torproject.org eff.org letsencrypt.org haveibeenpwned.com virustotal.com
  kaspersky.com norton.com mcafee.com avast.com bitdefender.com malwarebytes.com eset.com lastpass.com 1password.com
  bitwarden.com okta.com auth0.com duosecurity.com docusign.com intuit.com quickbooks.com turbotax.com hrblock.com
  coursera.org edx.org udemy.com khanacademy.org duolingo.com codecademy.com freecodecamp.org udacity.com skillshare.com
  ted.com chegg.com quizlet.com grammarly.com wolframalpha.com wolfram.com mathworks.com geogebra.org desmos.com
  example.com example.org example.net
  google.co.uk google.de google.fr google.it google.es google.nl google.be google.at google.ch google.pl google.se
  google.no google.dk google.fi google.pt google.gr google.cz google.sk google.hu google.ro google.bg google.hr
  google.ie google.ru google.ca google.com.mx google.com.br google.com.ar google.cl google.com.co google.com.pe
  google.co.jp google.co.kr google.com.hk google.com.tw google.cn google.co.in google.com.pk google.com.bd google.lk
  google.co.th google.com.vn google.co.id google.com.my google.com.sg google.com.ph google.com.au google.co.nz
  google.co.za google.com.ng google.co.ke google.com.eg google.com.sa google.ae google.co.il google.com.tr
  google.com.ua google.org google-analytics.com googletagmanager.com googlesyndication.com googleadservices.com
  googletagservices.com googlevideo.com gstatic.com gmail.com doubleclick.net youtu.be ytimg.com ggpht.com
  withgoogle.com googleblog.com youtube-nocookie.com facebook.net fb.com fbcdn.net cdninstagram.com whatsapp.net
  messenger.com threads.net meta.com oculus.com twimg.com pinimg.com redd.it redditmedia.com redditstatic.com
  licdn.com tiktokcdn.com tiktokv.com bytedance.com snapchat.com line.me viber.com wechat.com windowsupdate.com
  msedge.net office.net live.net hotmail.com nflxvideo.net nflximg.com nflxso.net media-amazon.com
  ssl-images-amazon.com twitchcdn.net ebaystatic.com paypalobjects.com wp.com gravatar.com automattic.com akismet.com
  disqus.com jquery.org bootstrapcdn.com getbootstrap.com fontawesome.com typekit.net newrelic.com hotjar.com
  mixpanel.com segment.com amplitude.com sentry.io datadoghq.com pagerduty.com duo.com digicert.com sectigo.com
  verisign.com opendns.com quad9.net brave.com opera.com vivaldi.com mozilla.com tvtropes.org urbandictionary.com
  reverso.net deepl.com linguee.com geeksforgeeks.org tutorialspoint.com instructables.com basecamp.com freshworks.com
  servicenow.com workday.com adp.com xero.com oracle.net teamviewer.com anydesk.com webex.com gotomeeting.com
  ringcentral.com twilio.com sendgrid.com mailgun.com upwork.com fiverr.com freelancer.com toptal.com angel.co
  crunchbase.com producthunt.com statista.com gartner.com mckinsey.com deloitte.com pwc.com kpmg.com ey.com
  accenture.com bcg.com bain.com marriott.com hilton.com hyatt.com ihg.com accor.com hertz.com avis.com enterprise.com
  klm.com airfrance.com iberia.com qantas.com singaporeair.com cathaypacific.com qatarairways.com turkishairlines.com
  bahn.de sncf-connect.com sbb.ch nationalrail.co.uk thetrainline.com amtrak.com tesco.com sainsburys.co.uk asda.com
  argos.co.uk johnlewis.com marksandspencer.com boots.com currys.co.uk carrefour.fr fnac.com cdiscount.com darty.com
  leclerc.com mediamarkt.de saturn.de lidl.de aldi.com rewe.de edeka.de bol.com coolblue.nl marktplaats.nl allegro.com
  ceneo.pl emag.ro mercari.com shopee.co.id tokopedia.com bukalapak.com lazada.sg jumia.com.ng takealot.com noon.com
  trendyol.com hepsiburada.com sahibinden.com ozon.ru wildberries.ru avito.ru kompas.com detik.com tribunnews.com
  okezone.com inquirer.net vnexpress.net bangkokpost.com straitstimes.com channelnewsasia.com theage.com.au afr.com
  thestar.com nationalpost.com ctvnews.ca newsday.com chicagotribune.com sfgate.com bostonglobe.com politico.com
  thehill.com axios.com propublica.org dw.com france24.com rfi.fr euronews.com tagesschau.de zdf.de ard.de rte.ie
  irishtimes.com swissinfo.ch derstandard.at orf.at nzz.ch`
    .split(/\s+/)
    .filter(Boolean),
)
