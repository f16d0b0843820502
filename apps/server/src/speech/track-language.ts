/** ISO 639-1 to ISO 639-2/T, which MP4 tracks use, for common languages. */
const codes = new Map(
  (
    'en=eng zh=zho de=deu es=spa ru=rus ko=kor fr=fra ja=jpn pt=por tr=tur pl=pol ca=cat nl=nld ar=ara sv=swe it=ita id=ind hi=hin ' +
    'fi=fin vi=vie he=heb uk=ukr el=ell ms=msa cs=ces ro=ron da=dan hu=hun ta=tam no=nor th=tha ur=urd hr=hrv bg=bul lt=lit la=lat ' +
    'ml=mal cy=cym sk=slk te=tel fa=fas lv=lav bn=ben sr=srp az=aze sl=slv kn=kan et=est mk=mkd eu=eus is=isl hy=hye ne=nep mn=mon ' +
    'bs=bos kk=kaz sq=sqi sw=swa gl=glg mr=mar pa=pan si=sin km=khm so=som af=afr ka=kat be=bel gu=guj am=amh lo=lao uz=uzb my=mya'
  )
    .split(' ')
    .map((pair) => pair.split('=') as [string, string]),
);

/** Known language codes. */
export const trackLanguages: readonly string[] = [...codes.keys()];

/** Language of a subtitle track in players' menus; `und` if unknown. */
export function trackLanguage(language: string): string {
  const [main = ''] = language.toLowerCase().split('-');
  return codes.get(main) ?? 'und';
}
