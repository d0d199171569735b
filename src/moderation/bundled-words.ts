import english from 'naughty-words/en.json';
import french from 'naughty-words/fr.json';
import german from 'naughty-words/de.json';
import portuguese from 'naughty-words/pt.json';
import spanish from 'naughty-words/es.json';
import { WordList } from './word-list';

/*
 * The lists are the "List of Dirty, Naughty, Obscene, and Otherwise Bad Words" (package naughty-words, CC BY 4.0,
 * see NOTICE.md). They were made for search suggestions: for a conversation they hold too much, and they hold a
 * word in one form only. What is left out and what is added is below, and docs/decisions/0011 says why.
 */

const list = (words: string): string[] =>
  words
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');

/** Entries that people use without offence, in the language of the list or in one of the others. */
const ORDINARY = list(`
  anal, anus, clitoris, ejaculation, fecal, genitals, intercourse, nipple, nipples, orgasm, penis, rectum, semen,
  sex, sexual, sexuality, sexually, sexy, vagina, vulva, erotic, erotism, homoerotic, lovemaking, nude, nudity,
  sexo, sexo oral, esperma, orina, pezón, nackt, nippel, orgasmus, ânus, bissexual, camisinha, coito, heterosexual,
  homem gay, homoerótico, homosexual, lésbica, pênis, travesti, prostituta,
  date rape, daterape, incest, neonazi, paedophile, pedophile, pornography, rape, raping, rapist, sadism, swastika,
  aborto, asesinato, cocaína, drogas, heroína, nazi, racista, sádico, pervertido,
  alaskan pipeline, ball kicking, bareback, barenaked, bastinado, big black, bimbo, bimbos, cumming, blue waffle, bondage, bullet vibe, butt,
  chocolate rosebuds, coon, coons, cornhole, cum, dick, dirty pillows, domination, eunuch, escort, fingering, girl on,
  grope, hard core, hardcore, hooker, how to kill, how to murder, huge fat, jelly donut, kinky, lemon party, lolita,
  make me come, mr hands, negro, nsfw, octopussy, panties, panty, pegging, playboy, pleasure chest, poof, quim,
  rimming, s&m, santorum, scat, scissoring, shrimping, skeet, snatch, snowballing, spread legs, spunk, strap on,
  suck, sucks, swinger, tainted love, taste my, threesome, tied up, tight white, tit, tongue in a, topless, twinkie,
  undressing, vibrator, violet wand, voyeur, xx, xxx,
  asno, caca, chupada, chupetón, concha, cono, fiesta de salchichas, haciendo el amor, idiota, infierno, maciza,
  maldito, martillo, pedo, pinche, pis, tía buena, trio,
  baiser, bander, bite, bitte, bourré, bourrée, chatte, con, cul, déconne, déconner, étron, folle, gerbe, gerber,
  grande folle, gueule, jouir, ménage à trois, meuf, pédale, pede, péter, pipi, ramoner, suce, tanche, tapette,
  trique, zizi,
  bonze, bratze, fratze, ische, kimme, lümmel, möpse, mose, mufti, pinkeln, popel, poppen, rosette, schabracke,
  schiesser, schnackeln, vögeln,
  amador, aranha, ariano, bicha, biscate, bumbum, burro, cacete, cerveja, chupar, comer, consolo, corno, cu,
  dum raio, frango assado, gozar, grelho, inferno, mama, passar um cheque, pau, peidar, pinto, sacanagem, saco,
  torneira, transar, veado, xana,
  fodder, fodders, negeer`);

/** Forms that the lists lack, and what makes an offence of words left out above. */
const ADDED = list(`
  asswipe, cocksucker, dickhead, dicks, dumbass, fuckboy, fucked, fucker, fuckface, fuckwit, goddamn, jackass,
  motherfucking, nutsack, shite, shithead, shithole, shitting, wanker, wanking,
  my dick, your dick, a dick, dick pic, dick pics, you dick, butt plug, suck my cock, sucking cock,
  cabrona, cabrones, chingada, chingar, chingas, coños, hija de la puta, hijos de puta, joder, jódete, maricones,
  mierdero, puto, que te jodan, tu puta madre, me cago en tu,
  bâtard, bâtarde, conards, enculer, ferme ta gueule, gros con, nique ta, niquer, pauvre con, sale con, ta gueule,
  espèce de con, petit con, ma bite, ta bite, suce ma, suce moi, fils de putes, va te faire foutre,
  arschlöcher, fick dich, fickt, fotzen, gefickt, huren, hurensöhne, nutten, scheiß, scheißt, schlampen, verfickt,
  verfickte, verpiss dich, wixer, wixxer,
  arrombado, buceta, cabrão, cabrões, chupa meu, colhões, cuzão, filhos da puta, fodase, fode, fodido, fodeu, no cu,
  pau no cu, puto, putos, viado, vai se foder`);

const SHARP_S = /ß/g;
const ACCENTS = /\p{M}/gu;
/** People often write without accents. */
const withoutAccents = (entry: string): string =>
  entry.normalize('NFD').replace(ACCENTS, '').replace(SHARP_S, 'ss');

const SHORTEST_WITH_PLURAL = 4;
const withPlural = (entry: string): string[] =>
  entry.includes(' ') || entry.length < SHORTEST_WITH_PLURAL ? [entry] : [entry, `${entry}s`];

const key = (entry: string): string => entry.normalize('NFC').toLowerCase();
const ordinary = new Set(ORDINARY.map(key));

/** What the bundled lists hold against words in English, French, German, Portuguese and Spanish. */
export const BUNDLED_WORDS = new WordList(
  new Set(
    [...english, ...french, ...german, ...portuguese, ...spanish]
      .map(key)
      .filter((entry) => !ordinary.has(entry))
      .concat(ADDED)
      .flatMap((entry) => [entry, withoutAccents(entry)])
      .filter((entry) => !ordinary.has(entry))
      .flatMap(withPlural),
  ),
  ordinary,
);
