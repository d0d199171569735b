import { BUNDLED_WORDS } from './bundled-words';
import { normalised } from './words';

const isProfane = (text: string): boolean => BUNDLED_WORDS.matches(normalised(text));

const ORDINARY: Record<string, string[]> = {
  English: [
    'Greetings from Scunthorpe, Essex, Sussex and Penistone.',
    'Please assess the class assignment: a classic, said the assistant.',
    'Charles Dickens drank a cocktail with Alfred Hitchcock.',
    'Hell, that was a long night; damn good bread though.',
    'The girl on the train read about a big black dog and a huge fat cat.',
    'How to kill weeds without chemicals, and how to kill a process on Linux.',
    'Strap on your helmet, hold on tight, and tie the boat: it must be tied up at noon.',
    'Take a bite, mind the dock, and pass the peacock feathers.',
    'He graduated magna cum laude and plays the trombone.',
    'Tit for tat, said the blue tit.',
    'Sizes: S M L XL XXL, see chapter XX. Kisses, xx',
    'My phone is a Galaxy A55, the road is the A55, and 455 people came in 1337.',
    'The therapist analysed the analysis; an analog signal is not digital.',
    'Sex education and menopause: ask your doctor about the uterus or penis.',
    'Swans, ducks and shiitake mushrooms; button, butter and a cigarette butt.',
    'Mail me at ana@example.org!!! That costs $45, or 5$ each.',
    'Fodder for the horses: 20 bales of hay.',
    'Maine Coon kittens suck milk from their mother.',
  ],
  Spanish: [
    '¿Vienes con tu hermano o con el perro negro?',
    'Me comí un cono de helado en la playa de la Concha.',
    'El martillo y el asno están en la casa del maestro.',
    'El trío de jazz toca esta noche; el público pide otra.',
    'Necesito análisis de sangre y de orina, dice la doctora.',
    'Su disputa fue computada; la diputada y el reputado autor.',
    'La heroína del libro pasa por el infierno y vuelve.',
    'Mi papá tiene sesenta años, y el nene dice caca y pis.',
    'El pinche de cocina prepara rape con patatas.',
    'Pon la concha sobre la mesa; la sexta sinfonía comienza.',
  ],
  French: [
    'Le chat et la chatte dorment ; la poule picore.',
    'Il faut bander la plaie, dit le médecin con calma.',
    'Un baiser sur la joue, une gerbe de fleurs, une robe rouge.',
    'J’ai cassé la pédale de mon vélo dans un cul-de-sac.',
    'Le ramoneur va ramoner la cheminée, puis pêcher une tanche.',
    'Un peu de fromage râpé, une pincée de poivre.',
    'C’est un concert, un concours, une conclusion et un conseil.',
    'La cuisine est pleine, le député discute de la dispute.',
    'Elle est folle de joie ; jouir de la vie, quelle chance.',
    'Le lion ouvre la gueule ; attrape-le avec une tapette à mouches.',
  ],
  German: [
    'Das Buch ist sehr dick, bitte gib es mir.',
    'Mit den Vögeln und den Möpsen gehe ich in den Park.',
    'Die Klasse hat die Klassik gern; das Gras ist nass.',
    'Er ist ein Mönch und kein Bonze, sagt der Mufti.',
    'Die Rosette am Fenster der Kirche ist aus dem 13. Jahrhundert.',
    'Nackt baden ist hier verboten, auch für Lümmel.',
    'Die Schokolade ist lecker, ich aß zwei Stücke.',
    'Schade, das Schiff fährt erst am Montag; wir schießen Fotos.',
    'Der Arzt sprach über Sexualität und Verhütung.',
    'Schuhe von Schiesser? Nein, Wäsche. Die Farben poppen.',
  ],
  Portuguese: [
    'Vamos comer frango assado e beber uma cerveja.',
    'O burro e o veado vivem na fazenda; a aranha também.',
    'O pau da bandeira é de madeira; o saco está cheio.',
    'Fiquei na bicha para comprar pão, disse o amador.',
    'A torneira pinga; o consolo é que o pinto nasceu.',
    'O carro negro é do meu pai; a mama amamenta o bebé.',
    'Ela pede desculpa e gosta de gozar as férias.',
    'Cultura, currículo e custos: o curso começa amanhã.',
    'Caldo verde com grelos, por favor.',
    'O disco é de cobre (Cu), a análise química confirma.',
  ],
};

const ABUSE: Record<string, string[]> = {
  English: [
    'What the fuck',
    'FUCK!',
    'fuck_you',
    'You absolute MOTHERFUCKER.',
    'what a piece of shit',
    'piece\nof   shit',
    'such assholes',
    'you dick',
    'white power',
    '🖕🏿',
  ],
  Spanish: ['¡Gilipollas!', 'eres un cabrón', 'eres un cabron', 'HIJO DE PUTA', 'vete a la mierda', 'coño'],
  French: ['Connard !', 'ENCULÉ', 'encule', 'fils de pute', 'ta gueule', 'espèce de con', 'nique ta mère'],
  German: ['Du Arschloch', 'so eine Scheiße', 'so eine scheisse', 'Hurensohn!', 'fick dich', 'Fotzen'],
  Portuguese: ['caralho', 'Filho da Puta', 'vai tomar no cu', 'foda-se', 'que bosta', 'viado'],
};

const EVASIONS = {
  'letters as digits and signs': [
    'sh1t',
    'sh!t!',
    '5hit',
    'a$$',
    '@sshole',
    'b1tch',
    's1ut',
    'c0cksucker',
    'm3rd4',
    'put4',
    '4rschl0ch',
    'a$$hole',
    'piece 0f sh1t',
  ],
  'characters that nobody sees': [
    'f\u200bu\u200cc\u200dk',
    'f\u00aduck',
    'fu\ufeffck',
    '\u202efuck',
    'f\u2060u\u2061ck',
    'fu\u034fck',
  ],
  'letters repeated': [
    'fuuuuck',
    'FUUCK',
    'shiiiiiit',
    'shitt',
    'assssshooole',
    'asss',
    'puuuta',
    'meeeerde',
  ],
  'other forms of letters': [
    'ｆｕｃｋ',
    '𝓯𝓾𝓬𝓴',
    '𝐒𝐇𝐈𝐓',
    'ⓕⓤⓒⓚ',
    'f\u0336u\u0336c\u0336k\u0336',
    'fuсk',
    'ѕhіt',
  ],
  'all together': ['Ｆ\u200bＵＵＵ\u200bck', '$h!!!!t', 'a$$$$h0le'],
};

describe('the bundled words', () => {
  describe.each(Object.entries(ORDINARY))('pass what people say in %s', (_, sentences) => {
    it.each(sentences)('%s', (sentence) => {
      expect(isProfane(sentence)).toBe(false);
    });
  });

  describe.each([...Object.entries(ABUSE), ...Object.entries(EVASIONS)])('catch %s', (_, sentences) => {
    it.each(sentences)('%j', (sentence) => {
      expect(isProfane(sentence)).toBe(true);
      expect(isProfane(`Well (${sentence}), he said`)).toBe(true);
    });
  });

  it('know whole words only', () => {
    expect(['shitake', 'Scunthorpes', 'mishit', 'bassist', 'cockpit', 'cockatoo'].filter(isProfane)).toEqual(
      [],
    );
  });
});
