// Addresses that want to be taken for others', and hosts that are nothing but themselves.
export const TRICKS =
  `https://paypa1.com/ https://rnicrosoft.com/ https://micros0ft.com/ https://arnazon.com/ https://amaz0n.com/
  https://faceb00k.com/ https://paypal.com.account-check.net/ https://www.paypal.com.secure-session.info/signin
  https://microsoft-login.com/ https://login-microsoft.net/ https://secure-paypal.com/ https://paypal-verification.com/
  https://netflix-billing.com/ https://wellsfargo-online.net/ https://bankofamerica-verify.com/login
  https://appleid.apple.com.verify-session.xyz/account https://xn--pypal-4ve.com/ https://xn--pple-43d.com/login/verify
  https://раураl.com/ https://gооgle.com/ https://microsоft.com/ https://аmazon.com/ https://instagrarn.com/
  https://coinbase-support.com/ https://metamask-wallet.com/ https://binance-login.net/ https://paypall.com/
  https://microsofft.com/ https://facebok.com/ https://netfIix-account.com/ https://dropbox-docs.com/
  https://paypal.com@198.51.100.7/ https://www.google.com@evil.example.net/ http://198.51.100.23/secure/login.php
  http://203.0.113.9/bank/verify/index.html https://docusign-document.com/ https://icloud-unlock.com/
  http://paypal-newaccount-paypal.getyourpiece.net/new/app/index http://chase.com.signin.update-account.info/verify.php
  https://whatsapp-verify.com/`
    .split(/\s+/)
    .filter(Boolean)

export const ORDINARY =
  `applebees.com pineapple.org appleton.edu microsoftware.example chasewood.org chasehouse.co.uk orangecounty.gov
  orangetheory.com bookingbuddy.com banking-history.org freebsd.org openbsd.org netbsd.org visaton.de visitnorway.com
  steamboat.com steamtown.org githubbers.example slackware.com zoomtown.org telegraphindia.com uberlandia.mg.gov.br
  amazonas.am.gov.br amazonwatch.org paypalace.example google.org netflixtechblog.com facebookresearch.example
  cloudflarestatus.example adobegallery.com dropboxes.example ledgerdesk.example krakentrails.org coinbase.org
  wellsfargohistory.example instagramers.example twitterrific.com linkedinlearning.example bbc.co.uk lemonde.fr
  stiftung-warentest.de verbraucherzentrale.de sparkassenverband.example volksbank-bonn.example krefeld.de koeln.de
  muenchen.de berlin.de hamburg.de wien.gv.at zuerich.ch geneve.ch paris.fr lyon.fr toulouse.fr madrid.es barcelona.cat
  roma.it milano.it napoli.it lisboa.pt amsterdam.nl rotterdam.nl brussels.be kobenhavn.dk oslo.kommune.no stockholm.se
  helsinki.fi warszawa.pl krakow.pl praha.eu brno.cz budapest.hu bucuresti.ro sofia.bg athens.gr istanbul.bel.tr tokyo.jp
  osaka.lg.jp seoul.go.kr taipei.gov.tw sydney.nsw.gov.au melbourne.vic.gov.au auckland.govt.nz toronto.ca vancouver.ca
  montreal.ca seattle.gov portland.gov denver.gov boston.gov chicago.gov houstontx.gov phoenix.gov sandiego.gov sf.gov
  openstreetmap.de gnome.org kde.org xfce.org libreoffice.org videolan.org blender.org gimp.org inkscape.org krita.org
  audacityteam.org musescore.org lilypond.org latex-project.org ctan.org r-project.org julialang.org haskell.org ocaml.org
  erlang.org elixir-lang.org clojure.org scala-lang.org perl.org lua.org nim-lang.org ziglang.org crystal-lang.org
  fsharp.org racket-lang.org scheme.org common-lisp.net gnu.io emacs.org vim.org neovim.io helix-editor.com sublimetext.com
  alpinelinux.org voidlinux.org gentoo.org slackbuilds.org nixos.org guix.gnu.org haiku-os.org reactos.org minix3.org
  rosettacode.org projecteuler.net adventofcode.com codeforces.com atcoder.jp topcoder.com hackerrank.com leetcode.com
  exercism.org codewars.com chess.com lichess.org boardgamegeek.com goratings.org bridgebase.com pokerstars.example
  ravelry.com knitty.com allaboutbirds.org ebird.org inaturalist.org audubon.org rspb.org.uk nabu.de lpo.fr birdlife.org
  mountainproject.com summitpost.org alltrails.com komoot.com outdooractive.com strava.com garmin.com polar.com suunto.com
  seriouspuzzles.com puzzlewarehouse.com lego.com playmobil.com ravensburger.com schleich-s.com haba.de kosmos.de
  mudam.lu louvre.fr rijksmuseum.nl tate.org.uk moma.org metmuseum.org prado.es uffizi.it hermitagemuseum.org vam.ac.uk
  smallbakery.example joesgarage.example river-valley-school.example green-meadow-farm.example quiet-corner-books.example
  hilltop-dental.example lakeside-inn.example st-marys-church.example old-mill-pottery.example north-star-plumbing.example`
    .split(/\s+/)
    .filter(Boolean)
