import type { LetterTexts } from './letter-texts';

export const es: LetterTexts = {
  'sign-in': ({ code, minutes }) => ({
    subject: 'Tu código de acceso',
    paragraphs: [
      `Tu código es ${code}. Vale ${minutes} minutos y para un solo acceso.`,
      'Si no lo has pedido, no tienes que hacer nada.',
    ],
  }),
  'change-email': ({ code, minutes }) => ({
    subject: 'Confirma tu nueva dirección de correo',
    paragraphs: [
      `Tu código es ${code}. Vale ${minutes} minutos.`,
      'Si no lo has pedido, no tienes que hacer nada.',
    ],
  }),
  'already-a-member': () => ({
    subject: 'Ya tienes una cuenta',
    paragraphs: [
      'Alguien, probablemente tú, quiso registrarse con esta dirección. Ya tiene una cuenta: inicia sesión o restablece la contraseña.',
    ],
  }),
  'reset-password': ({ link, minutes }) => ({
    subject: 'Restablece tu contraseña',
    paragraphs: [
      `Para poner una contraseña nueva, abre este enlace en los próximos ${minutes} minutos. Funciona una vez.`,
      link,
      'Si no lo has pedido, no tienes que hacer nada: tu contraseña sigue igual.',
    ],
  }),
  'password-changed': () => ({
    subject: 'Tu contraseña ha cambiado',
    paragraphs: [
      'La contraseña de tu cuenta ha cambiado y se han cerrado todas las sesiones.',
      'Si no has sido tú, restablece la contraseña enseguida.',
    ],
  }),
  'email-changes': () => ({
    subject: 'Tu dirección de correo va a cambiar',
    paragraphs: [
      'Alguien con sesión en tu cuenta ha pedido cambiar la dirección de correo. Cambiará cuando se confirme la nueva.',
      'Si no has sido tú, cambia la contraseña enseguida.',
    ],
  }),
  'email-changed': () => ({
    subject: 'Tu dirección de correo ha cambiado',
    paragraphs: [
      'La administración ha cambiado la dirección de correo de tu cuenta. Con esta dirección ya no puedes iniciar sesión.',
      'Si no lo esperabas, pregunta a quienes llevan la comunidad.',
    ],
  }),
};
