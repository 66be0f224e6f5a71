import { parse } from 'tldts';

/** Brands that give mailboxes to everyone under many country domains, such as yahoo.co.uk and gmx.de. */
const EVERYWHERE = new Set(
  'yahoo ymail rocketmail hotmail outlook live windowslive gmx googlemail protonmail yandex aol zoho zohomail tutanota btinternet'.split(
    ' ',
  ),
);

/** Those that have one domain: mailboxes for everyone, and what providers of access give their customers. */
const ONE_BY_ONE = new Set(
  `gmail.com msn.com icloud.com me.com mac.com proton.me pm.me fastmail.com fastmail.fm web.de mail.com email.com usa.com post.com
  myself.com consultant.com engineer.com aim.com juno.com netzero.net netzero.com excite.com lycos.com compuserve.com netscape.net
  hushmail.com tuta.io tuta.com tutamail.com keemail.me hey.com duck.com mailfence.com runbox.com startmail.com riseup.net pobox.com
  inbox.com inbox.lv mozmail.com mailbox.org posteo.de posteo.net

  comcast.net att.net sbcglobal.net swbell.net ameritech.net snet.net flash.net prodigy.net pacbell.net bellsouth.net verizon.net cox.net
  charter.net spectrum.net rr.com twc.com earthlink.net mindspring.com frontier.com frontiernet.net optonline.net optimum.net
  suddenlink.net mediacombb.net centurylink.net centurytel.net embarqmail.com q.com windstream.net hughes.net tds.net wowway.com rcn.com
  cableone.net peoplepc.com
  shaw.ca rogers.com bell.net sympatico.ca telus.net videotron.ca cogeco.ca eastlink.ca

  manx.net sky.com talktalk.net tiscali.co.uk virginmedia.com virgin.net ntlworld.com blueyonder.co.uk plus.com plusnet.com o2.co.uk
  eircom.net
  orange.fr wanadoo.fr free.fr laposte.net sfr.fr neuf.fr bbox.fr numericable.fr
  t-online.de freenet.de arcor.de email.de online.de
  aon.at chello.at a1.net bluewin.ch hispeed.ch sunrise.ch
  libero.it virgilio.it alice.it tin.it tim.it tiscali.it fastwebnet.it
  telefonica.net terra.es ono.com sapo.pt
  skynet.be telenet.be proximus.be ziggo.nl kpnmail.nl planet.nl xs4all.nl home.nl hetnet.nl
  telia.com comhem.se bredband.net spray.se online.no broadpark.no mail.dk stofanet.dk kolumbus.fi
  wp.pl o2.pl onet.pl op.pl interia.pl gazeta.pl seznam.cz email.cz centrum.cz post.cz azet.sk zoznam.sk freemail.hu citromail.hu
  abv.bg mail.ee
  mail.ru bk.ru inbox.ru list.ru internet.ru rambler.ru ya.ru ukr.net i.ua
  uol.com.br bol.com.br terra.com.br ig.com.br globo.com
  qq.com foxmail.com 163.com 126.com yeah.net sina.com sina.cn sohu.com 139.com 189.cn aliyun.com
  naver.com daum.net hanmail.net nate.com docomo.ne.jp ezweb.ne.jp softbank.ne.jp nifty.com biglobe.ne.jp
  rediffmail.com indiatimes.com sify.com
  bigpond.com bigpond.net.au optusnet.com.au iinet.net.au tpg.com.au xtra.co.nz`.split(/\s+/),
);

/** Whether people who have nothing to do with each other have mailboxes at a host. */
export function isMailProvider(host: string): boolean {
  const { domain, domainWithoutSuffix } = parse(host);
  return domain !== null && (ONE_BY_ONE.has(domain) || EVERYWHERE.has(domainWithoutSuffix ?? ''));
}
