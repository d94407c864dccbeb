import { confirm } from '#ui/dialog/confirm.ts'
import { toast } from '#ui/toast/toast.ts'

/** The column of a list of users that shows who has a second factor. */
export const secondFactorColumn = {
  id: 'secondFactor',
  header: 'Two-factor',
  isOneLine: true,
  cell: ({ hasSecondFactor }: { hasSecondFactor: boolean }) => (hasSecondFactor ? 'On' : 'Off'),
}

/** Resets the second factor of a user who lost theirs, after a confirmation; true if it was reset. */
export const confirmSecondFactorReset = async (
  name: string,
  reset: () => Promise<{ ok: boolean }>,
): Promise<boolean> => {
  const isSure = await confirm({
    title: `Reset the two-factor sign-in of ${name}?`,
    message:
      'Make sure that it is really them who asks. Their authenticator app, passkeys and recovery codes stop working, they are signed out everywhere, and they get an email.',
    confirmText: 'Reset it',
    danger: true,
  })
  if (!isSure || !(await reset()).ok) return false
  toast(`${name} signs in with the password alone now`, 'success')
  return true
}
