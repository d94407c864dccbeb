import { useCallback, useEffect, useState } from 'react'
import { useLocation } from 'wouter'
import { acceptInvitation, type OpenInvitation, readInvitation, type SignInAnswer } from '#contract/system/auth.ts'
import { required } from '#domain/shared/validators.ts'
import type { CallFailure } from '#local/transport/request.ts'
import { callApi } from '#platform/api/api.ts'
import { urls } from '#platform/urls.ts'
import { Button, ButtonLink } from '#ui/button/button.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { Field } from '#ui/form/field.tsx'
import { Form } from '#ui/form/form.tsx'
import { TextInput } from '#ui/form/text-input.tsx'
import { PlainPage } from '#ui/page/plain-page.tsx'
import { NewPasswordFields, newPasswordRules } from './new-password-fields.tsx'
import { continueSignIn } from './start-session.ts'
import { useFormSubmit } from './use-form-submit.ts'

const roleDescriptions = {
  administrator: 'as an administrator of the platform',
  owner: 'as an owner: you see revenue and manage staff',
  staff: 'as staff: you work on jobs, subjects, images and orders',
} as const satisfies Record<OpenInvitation['role'], string>

const rules = { name: required<unknown>(), ...newPasswordRules }

const InvitationForm = ({ token, invitation }: { token: string; invitation: OpenInvitation }) => {
  const [, navigate] = useLocation()
  const { name, email, role } = invitation
  const studioName = invitation.studioName ?? 'Fieldproof'
  const { fieldErrors, errors, loading, submit } = useFormSubmit<
    'name' | 'password' | 'passwordConfirmation',
    SignInAnswer
  >({
    rules,
    send: ({ name: typedName, password }) =>
      callApi(acceptInvitation, { body: { token, name: typedName.trim(), password } }),
    onSuccess: (signedIn) => navigate(continueSignIn(signedIn), { replace: true }),
  })
  return (
    <PlainPage title={`Work with ${studioName}`}>
      <p>
        {studioName} invites you {roleDescriptions[role]}. Choose a password, and begin.
      </p>
      <Form onSubmit={submit} loading={loading} error={errors}>
        <Field label="Email" hint="You sign in with the address the invitation was sent to.">
          <TextInput type="email" name="email" autoComplete="username" defaultValue={email} readOnly />
        </Field>
        <Field label="Your name" errors={fieldErrors.name}>
          <TextInput name="name" autoComplete="name" defaultValue={name} maxLength={100} />
        </Field>
        <NewPasswordFields errors={fieldErrors} />
        <Button type="submit" loading={loading} wide>
          Join {studioName}
        </Button>
      </Form>
    </PlainPage>
  )
}

const InvitationError = ({ failure, onRetry }: { failure: CallFailure; onRetry: () => void }) => (
  <PlainPage title="Your invitation">
    <p role="alert">{failure.errors.join(' ')}</p>
    <div>
      {failure.problem === 'refused' ? (
        <ButtonLink href={urls.login()}>Go to the login</ButtonLink>
      ) : (
        <Button onClick={onRetry}>Try again</Button>
      )}
    </div>
  </PlainPage>
)

/** Loads an invitation and accepts it. Shows the reason if the invitation is no longer valid. */
export const AcceptInvitation = ({ token }: { token: string }) => {
  const [invitation, setInvitation] = useState<OpenInvitation | null>(null)
  const [failure, setFailure] = useState<CallFailure | null>(null)
  const load = useCallback(async () => {
    setFailure(null)
    const answer = await callApi(readInvitation, { body: { token } })
    if (answer.ok) setInvitation(answer.data)
    else setFailure(answer)
  }, [token])
  useEffect(() => void load(), [load])
  if (invitation) return <InvitationForm token={token} invitation={invitation} />
  if (failure) return <InvitationError failure={failure} onRetry={() => void load()} />
  return (
    <PlainPage title="Your invitation">
      <Skeleton lines={5} />
    </PlainPage>
  )
}
