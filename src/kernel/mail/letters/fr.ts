import type { LetterTexts } from './letter-texts';

export const fr: LetterTexts = {
  'sign-in': ({ code, minutes }) => ({
    subject: 'Votre code de connexion',
    paragraphs: [
      `Votre code est ${code}. Il est valable ${minutes} minutes et pour une seule connexion.`,
      'Si vous ne l’avez pas demandé, vous n’avez rien à faire.',
    ],
  }),
  'change-email': ({ code, minutes }) => ({
    subject: 'Confirmez votre nouvelle adresse e-mail',
    paragraphs: [
      `Votre code est ${code}. Il est valable ${minutes} minutes.`,
      'Si vous ne l’avez pas demandé, vous n’avez rien à faire.',
    ],
  }),
  'already-a-member': () => ({
    subject: 'Vous avez déjà un compte',
    paragraphs: [
      'Quelqu’un, sans doute vous, a voulu s’inscrire avec cette adresse. Elle a déjà un compte : connectez-vous ou réinitialisez le mot de passe.',
    ],
  }),
  'reset-password': ({ link, minutes }) => ({
    subject: 'Réinitialisez votre mot de passe',
    paragraphs: [
      `Pour choisir un nouveau mot de passe, ouvrez ce lien dans les ${minutes} minutes. Il fonctionne une fois.`,
      link,
      'Si vous ne l’avez pas demandé, vous n’avez rien à faire : votre mot de passe reste le même.',
    ],
  }),
  'password-changed': () => ({
    subject: 'Votre mot de passe a été changé',
    paragraphs: [
      'Le mot de passe de votre compte a été changé et toutes les sessions ont été fermées.',
      'Si ce n’était pas vous, réinitialisez le mot de passe tout de suite.',
    ],
  }),
  'email-changes': () => ({
    subject: 'Votre adresse e-mail va changer',
    paragraphs: [
      'Une personne connectée à votre compte a demandé à changer l’adresse e-mail. Elle changera une fois la nouvelle confirmée.',
      'Si ce n’était pas vous, changez de mot de passe tout de suite.',
    ],
  }),
  'email-changed': () => ({
    subject: 'Votre adresse e-mail a changé',
    paragraphs: [
      'Un administrateur a changé l’adresse e-mail de votre compte. Cette adresse ne permet plus de se connecter.',
      'Si vous ne vous y attendiez pas, demandez aux responsables de la communauté.',
    ],
  }),
};
