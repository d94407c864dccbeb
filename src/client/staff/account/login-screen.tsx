import { useAtom, useAtomValue } from 'jotai'
import { Link, Redirect, useLocation } from 'wouter'
import { logIn, type SignInAnswer } from '#contract/system/auth.ts'
import { required } from '#domain/shared/validators.ts'
import { callApi } from '#platform/api/api.ts'
import { Button } from '#ui/button/button.tsx'
import { Notice } from '#ui/feedback/notice.tsx'
import { Field } from '#ui/form/field.tsx'
import { Form } from '#ui/form/form.tsx'
import { TextInput } from '#ui/form/text-input.tsx'
import { PlainPage } from '#ui/page/plain-page.tsx'
import { staffUrls } from '../kit/routing/staff-urls.ts'
import { claimsAtom } from '../kit/session/current-session.ts'
import styles from './sign-in.module.css'
import { continueSignIn, currentReturnUrl, signInStepAtom, startSession } from './start-session.ts'
import { PasskeySignInButton } from './two-factor/passkey-sign-in-button.tsx'
import { SecondFactorScreen } from './two-factor/second-factor-screen.tsx'
import { SetUpScreen } from './two-factor/set-up-screen.tsx'
import { useFormSubmit } from './use-form-submit.ts'

/** Shown after a session expired (section 8). */
export const sessionExpiredMessage = 'Session expired. Please log in again.'

const rules = { username: required<unknown>(), password: required<unknown>() }

export type LoginRoute = { ret?: string | undefined; expired: boolean }

const PasswordForm = ({ ret, expired }: LoginRoute) => {
  const [, navigate] = useLocation()
  const { fieldErrors, errors, loading, submit } = useFormSubmit<'username' | 'password', SignInAnswer>({
    rules,
    send: ({ username, password }) => callApi(logIn, { body: { username: username.trim(), password } }),
    onSuccess: (answer) => navigate(continueSignIn(answer, ret), { replace: true }),
  })
  return (
    <PlainPage title="Studio Login">
      {expired && <Notice tone="attention">{sessionExpiredMessage}</Notice>}
      <Form onSubmit={submit} loading={loading} error={errors}>
        <Field label="Email" errors={fieldErrors.username}>
          <TextInput type="email" name="username" autoComplete="username" autoCapitalize="none" spellCheck={false} />
        </Field>
        <Field label="Password" errors={fieldErrors.password}>
          <TextInput type="password" name="password" autoComplete="current-password" />
        </Field>
        <Button type="submit" loading={loading} wide>
          Log in
        </Button>
      </Form>
      <PasskeySignInButton onTokens={(tokens) => navigate(startSession(tokens, ret), { replace: true })} />
      <ul className={styles.links}>
        <li>
          <Link href={staffUrls.forgotPassword()}>Forgot your password?</Link>
        </li>
        <li>
          <Link href={staffUrls.setup()}>Set up a new studio</Link>
        </li>
      </ul>
    </PlainPage>
  )
}

/** The staff login: the password, and the second factor if the user has or needs one. Continues to the requested address. */
export const LoginScreen = ({ ret, expired }: LoginRoute) => {
  const [, navigate] = useLocation()
  const claims = useAtomValue(claimsAtom)
  const [step, setStep] = useAtom(signInStepAtom)

  // Already signed in, here or in another tab.
  if (claims) return <Redirect to={currentReturnUrl(ret)} replace />
  if (!step) return <PasswordForm ret={ret} expired={expired} />
  const Screen = step.step === 'set-up' ? SetUpScreen : SecondFactorScreen
  return (
    <Screen
      step={step}
      onTokens={(tokens) => {
        setStep(null)
        navigate(startSession(tokens, ret), { replace: true })
      }}
      onCancel={() => setStep(null)}
    />
  )
}
