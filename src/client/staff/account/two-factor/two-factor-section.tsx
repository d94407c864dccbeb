import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import {
  getTwoFactor,
  type Passkey,
  removeAuthenticator,
  removePasskey,
  replaceRecoveryCodes,
  type SetUpResult,
  type TwoFactor,
} from '#contract/system/two-factor.ts'
import type { CallResult } from '#local/transport/request.ts'
import { Button } from '#ui/button/button.tsx'
import { confirm } from '#ui/dialog/confirm.ts'
import { Dialog } from '#ui/dialog/dialog.tsx'
import { Notice } from '#ui/feedback/notice.tsx'
import { toast } from '#ui/toast/toast.ts'
import { QueryBoundary } from '../../kit/query/query-boundary.tsx'
import { useStaffMutation } from '../../kit/query/use-staff-mutation.ts'
import { useStaffQuery } from '../../kit/query/use-staff-query.ts'
import styles from '../../kit/screen/rows.module.css'
import { session } from '../../kit/session/current-session.ts'
import { AuthenticatorSetUp } from './authenticator-set-up.tsx'
import { PasskeyList } from './passkey-list.tsx'
import { PasskeySetUp } from './passkey-set-up.tsx'
import { PasswordDialog } from './password-dialog.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'
import { useChangeToken } from './use-change-token.ts'

type OpenSetUp = { kind: 'authenticator' | 'passkey'; stepToken: string }

const setUpTitles = { authenticator: 'Set up an authenticator app', passkey: 'Add a passkey' } as const

const removalWarning = 'If it is your only second factor, anyone with your password can sign in.'

/** The changes that need the password: each runs with a token, and the codes they make are shown once. */
const useTwoFactorChanges = () => {
  const client = useQueryClient()
  const changeToken = useChangeToken()
  const [setUp, setSetUp] = useState<OpenSetUp | null>(null)
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  const appRemoval = useStaffMutation(removeAuthenticator)
  const passkeyRemoval = useStaffMutation(removePasskey)
  const replacement = useStaffMutation(replaceRecoveryCodes)
  const settle = (answer: CallResult<unknown>, message: string) => {
    if (answer.ok) toast(message, 'success')
    else if (answer.problem === 'invalid-token') changeToken.drop()
  }
  return {
    changeToken,
    setUp,
    codes,
    closeSetUp: () => setSetUp(null),
    closeCodes: () => setCodes(null),
    openSetUp: (kind: OpenSetUp['kind']) => changeToken.withToken((stepToken) => setSetUp({ kind, stepToken })),
    finishSetUp: ({ recoveryCodes }: SetUpResult) => {
      setSetUp(null)
      setCodes(recoveryCodes)
      toast('It is set up. Your other devices are signed out', 'success')
      void client.invalidateQueries()
    },
    replaceCodes: () =>
      changeToken.withToken(async (stepToken) => {
        const answer = await replacement.mutate({ body: { stepToken } })
        settle(answer, 'The old codes no longer work')
        if (answer.ok) setCodes(answer.data.recoveryCodes)
      }),
    removeApp: async () => {
      const title = 'Remove your authenticator app?'
      if (!(await confirm({ title, message: removalWarning, confirmText: 'Remove', danger: true }))) return
      changeToken.withToken(async (stepToken) =>
        settle(await appRemoval.mutate({ body: { stepToken } }), 'Your authenticator app was removed'),
      )
    },
    removeKey: async ({ id: passkeyId, name }: Passkey) => {
      const title = `Remove the passkey “${name}”?`
      if (!(await confirm({ title, message: removalWarning, confirmText: 'Remove', danger: true }))) return
      changeToken.withToken(async (stepToken) =>
        settle(await passkeyRemoval.mutate({ params: { passkeyId }, body: { stepToken } }), `${name} was removed`),
      )
    },
  }
}

type Changes = ReturnType<typeof useTwoFactorChanges>

const AuthenticatorRow = ({ hasAuthenticator, changes }: { hasAuthenticator: boolean; changes: Changes }) => (
  <div className={styles.row}>
    <div className={styles.text}>
      <strong>Authenticator app</strong>
      <p className={styles.soft}>
        {hasAuthenticator ? 'On. It shows a new code every 30 seconds.' : 'Not set up. It shows a code for each login.'}
      </p>
    </div>
    <div className={styles.actions}>
      <Button variant="secondary" onClick={() => changes.openSetUp('authenticator')}>
        {hasAuthenticator ? 'Replace the app' : 'Set up the app'}
      </Button>
      {hasAuthenticator && (
        <Button variant="quiet" onClick={() => void changes.removeApp()}>
          Remove the app
        </Button>
      )}
    </div>
  </div>
)

const RecoveryCodesRow = ({ left, changes }: { left: number; changes: Changes }) => (
  <div className={styles.row}>
    <div className={styles.text}>
      <strong>Recovery codes</strong>
      <p className={styles.soft}>{left} of 10 left. Each signs you in once without your app or passkey.</p>
    </div>
    <Button variant="secondary" onClick={changes.replaceCodes}>
      Make new codes
    </Button>
  </div>
)

const TwoFactorState = ({ twoFactor, changes }: { twoFactor: TwoFactor; changes: Changes }) => {
  const { hasAuthenticator, passkeys, recoveryCodesLeft, isRequired } = twoFactor
  const hasAny = hasAuthenticator || passkeys.length > 0
  return (
    <>
      <p>
        {hasAny
          ? 'On: a login needs your password and a second step, or a passkey.'
          : 'Off: anyone who learns your password can sign in.'}
        {isRequired && ' Your account must have it.'}
      </p>
      {hasAny && recoveryCodesLeft < 3 && (
        <Notice tone="attention">You have few recovery codes left. Make new ones soon.</Notice>
      )}
      <div>
        <AuthenticatorRow hasAuthenticator={hasAuthenticator} changes={changes} />
        <PasskeyList passkeys={passkeys} onRemove={(passkey) => void changes.removeKey(passkey)} />
        <div className={styles.row}>
          <div className={styles.text}>
            <strong>New passkey</strong>
            <p className={styles.soft}>
              Signs you in with a fingerprint, face, PIN or security key, without a password.
            </p>
          </div>
          <Button variant="secondary" onClick={() => changes.openSetUp('passkey')}>
            Add a passkey
          </Button>
        </div>
        {hasAny && <RecoveryCodesRow left={recoveryCodesLeft} changes={changes} />}
      </div>
    </>
  )
}

const SetUpDialog = ({ setUp: { kind, stepToken }, changes }: { setUp: OpenSetUp; changes: Changes }) => {
  const Form = kind === 'passkey' ? PasskeySetUp : AuthenticatorSetUp
  const expire = () => {
    changes.changeToken.drop()
    changes.closeSetUp()
  }
  return (
    <Dialog open onClose={changes.closeSetUp} title={setUpTitles[kind]}>
      <Form
        stepToken={stepToken}
        refreshToken={session.refreshToken()}
        onDone={changes.finishSetUp}
        onExpired={expire}
      />
    </Dialog>
  )
}

/** The user's own two-factor sign-in and passkeys. */
export const TwoFactorSection = () => {
  const query = useStaffQuery(getTwoFactor)
  const changes = useTwoFactorChanges()
  const { changeToken, setUp, codes } = changes
  return (
    <>
      {codes ? (
        <RecoveryCodes codes={codes} onSaved={changes.closeCodes} />
      ) : (
        <QueryBoundary query={query}>
          {(twoFactor) => <TwoFactorState twoFactor={twoFactor} changes={changes} />}
        </QueryBoundary>
      )}
      {changeToken.isAsking && <PasswordDialog onToken={changeToken.receive} onClose={changeToken.cancel} />}
      {setUp && <SetUpDialog setUp={setUp} changes={changes} />}
    </>
  )
}
