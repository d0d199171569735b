import type { LetterTexts } from './letter-texts';

export const de: LetterTexts = {
  'sign-in': ({ code, minutes }) => ({
    subject: 'Dein Anmeldecode',
    paragraphs: [
      `Dein Code ist ${code}. Er gilt ${minutes} Minuten und für eine Anmeldung.`,
      'Wenn du ihn nicht angefordert hast, brauchst du nichts zu tun.',
    ],
  }),
  'change-email': ({ code, minutes }) => ({
    subject: 'Bestätige deine neue E-Mail-Adresse',
    paragraphs: [
      `Dein Code ist ${code}. Er gilt ${minutes} Minuten.`,
      'Wenn du ihn nicht angefordert hast, brauchst du nichts zu tun.',
    ],
  }),
  'already-a-member': () => ({
    subject: 'Du hast schon ein Konto',
    paragraphs: [
      'Jemand, vermutlich du, wollte sich mit dieser Adresse registrieren. Sie hat schon ein Konto: melde dich an oder setze das Passwort zurück.',
    ],
  }),
  'reset-password': ({ link, minutes }) => ({
    subject: 'Setze dein Passwort zurück',
    paragraphs: [
      `Öffne diesen Link innerhalb von ${minutes} Minuten, um ein neues Passwort zu setzen. Er funktioniert einmal.`,
      link,
      'Wenn du ihn nicht angefordert hast, brauchst du nichts zu tun: dein Passwort bleibt, wie es ist.',
    ],
  }),
  'password-changed': () => ({
    subject: 'Dein Passwort wurde geändert',
    paragraphs: [
      'Das Passwort deines Kontos wurde geändert, und alle Sitzungen wurden beendet.',
      'Wenn du das nicht warst, setze das Passwort sofort zurück.',
    ],
  }),
  'email-changes': () => ({
    subject: 'Deine E-Mail-Adresse wird geändert',
    paragraphs: [
      'Jemand, der in deinem Konto angemeldet ist, möchte die E-Mail-Adresse ändern. Sie ändert sich, sobald die neue bestätigt ist.',
      'Wenn du das nicht warst, ändere sofort dein Passwort.',
    ],
  }),
  'email-changed': () => ({
    subject: 'Deine E-Mail-Adresse wurde geändert',
    paragraphs: [
      'Die Verwaltung hat die E-Mail-Adresse deines Kontos geändert. Mit dieser Adresse kannst du dich nicht mehr anmelden.',
      'Wenn du damit nicht gerechnet hast, frage bei denen nach, die die Community betreiben.',
    ],
  }),
};
