/** For a guest whose spoken language is not understood here, in that language. */
const sentences: Readonly<Record<string, string>> = {
  ar: 'لا يمكن فهم العربية المنطوقة هنا. يُرجى الكتابة.',
  cs: 'Mluvené češtině tu není rozumět. Napište prosím zprávu.',
  da: 'Talt dansk forstås ikke her. Skriv i stedet.',
  de: 'Gesprochenes Deutsch wird hier nicht verstanden. Bitte schreiben Sie.',
  el: 'Τα προφορικά ελληνικά δεν γίνονται κατανοητά εδώ. Παρακαλώ γράψτε.',
  en: "Spoken English can't be understood here. Please type instead.",
  es: 'Aquí no se entiende el español hablado. Escriba su mensaje.',
  fi: 'Puhuttua suomea ei ymmärretä täällä. Kirjoita viestisi.',
  fr: 'Le français parlé n’est pas compris ici. Veuillez écrire.',
  hi: 'यहाँ बोली गई हिन्दी समझी नहीं जा सकती। कृपया लिखें।',
  hu: 'A beszélt magyart itt nem lehet felismerni. Kérjük, írjon.',
  id: 'Ucapan bahasa Indonesia tidak dikenali di sini. Silakan ketik pesan Anda.',
  it: 'Qui l’italiano parlato non viene compreso. Scriva il messaggio.',
  ja: 'ここでは日本語の音声を認識できません。文字で入力してください。',
  ko: '여기서는 한국어 음성을 인식할 수 없습니다. 글자로 입력해 주세요.',
  nl: 'Gesproken Nederlands wordt hier niet verstaan. Typ uw bericht.',
  no: 'Talt norsk forstås ikke her. Skriv i stedet.',
  pl: 'Mowa polska nie jest tu rozpoznawana. Proszę napisać.',
  pt: 'O português falado não é compreendido aqui. Escreva a sua mensagem.',
  ro: 'Româna vorbită nu este înțeleasă aici. Vă rugăm să scrieți.',
  ru: 'Русская речь здесь не распознаётся. Пожалуйста, напишите.',
  sv: 'Talad svenska förstås inte här. Skriv i stället.',
  th: 'ที่นี่ไม่สามารถเข้าใจเสียงพูดภาษาไทยได้ กรุณาพิมพ์ข้อความ',
  tr: 'Konuşulan Türkçe burada anlaşılmıyor. Lütfen yazın.',
  uk: 'Українська мова тут не розпізнається. Будь ласка, напишіть.',
  vi: 'Ở đây không nhận dạng được tiếng Việt nói. Vui lòng nhập văn bản.',
  zh: '这里无法识别中文语音，请改为打字。',
};

/** Undefined for languages without a sentence. */
export function notUnderstood(language: string): string | undefined {
  const [code = ''] = language.toLowerCase().split(/[-_]/);
  // A language that the server sends may be any word, such as the name of a method of all objects.
  return Object.hasOwn(sentences, code) ? sentences[code] : undefined;
}
