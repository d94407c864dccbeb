import type { ConfirmRequest } from '#ui/dialog/confirm.ts'

/** The question before the second factor of a user who lost theirs is reset. */
export const resetQuestion = (name: string): ConfirmRequest => ({
  title: `Reset the two-factor sign-in of ${name}?`,
  message:
    'Make sure that it is really them who asks. Their authenticator app, passkeys and recovery codes stop working, they are signed out everywhere, and they get an email.',
  confirmText: 'Reset it',
  danger: true,
})
