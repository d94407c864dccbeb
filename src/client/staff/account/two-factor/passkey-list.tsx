import { useState } from 'react'
import { type Passkey, renamePasskey } from '#contract/system/two-factor.ts'
import { formatDate } from '#domain/shared/dates.ts'
import { required } from '#domain/shared/validators.ts'
import { maxPasskeyNameLength } from '#domain/studio/two-factor.ts'
import { Button } from '#ui/button/button.tsx'
import { Dialog } from '#ui/dialog/dialog.tsx'
import { Field } from '#ui/form/field.tsx'
import { Form } from '#ui/form/form.tsx'
import { TextInput } from '#ui/form/text-input.tsx'
import { useStaffMutation } from '../../kit/query/use-staff-mutation.ts'
import styles from '../../kit/screen/rows.module.css'
import { useFormSubmit } from '../use-form-submit.ts'

const rules = { name: required<unknown>() }

const RenameDialog = ({ passkey: { id, name }, onClose }: { passkey: Passkey; onClose: () => void }) => {
  const { mutate } = useStaffMutation(renamePasskey)
  const { fieldErrors, errors, loading, submit } = useFormSubmit<'name', Passkey>({
    rules,
    send: ({ name: typedName }) =>
      mutate({ params: { passkeyId: id }, body: { name: typedName.trim() } }, { onError: 'silent' }),
    onSuccess: onClose,
  })
  return (
    <Dialog open onClose={onClose} size="small" title="Rename the passkey">
      <Form onSubmit={submit} loading={loading} error={errors}>
        <Field label="Name" errors={fieldErrors.name}>
          <TextInput name="name" autoComplete="off" defaultValue={name} maxLength={maxPasskeyNameLength} />
        </Field>
        <Button type="submit" loading={loading} wide>
          Save
        </Button>
      </Form>
    </Dialog>
  )
}

type PasskeyListProps = { passkeys: readonly Passkey[]; onRemove: (passkey: Passkey) => void }

/** The user's passkeys: rename and remove them. */
export const PasskeyList = ({ passkeys, onRemove }: PasskeyListProps) => {
  const [renamed, setRenamed] = useState<Passkey | null>(null)
  return (
    <>
      <ul className={styles.rows} aria-label="Passkeys">
        {passkeys.map((passkey) => (
          <li key={passkey.id} className={styles.row}>
            <div className={styles.text}>
              <strong>{passkey.name}</strong>
              <p className={styles.soft}>
                Added {formatDate(passkey.createdAt)},{' '}
                {passkey.lastUsedAt ? `last used ${formatDate(passkey.lastUsedAt)}` : 'never used'}
              </p>
            </div>
            <div className={styles.actions}>
              <Button variant="secondary" aria-label={`Rename ${passkey.name}`} onClick={() => setRenamed(passkey)}>
                Rename
              </Button>
              <Button variant="quiet" aria-label={`Remove ${passkey.name}`} onClick={() => onRemove(passkey)}>
                Remove
              </Button>
            </div>
          </li>
        ))}
      </ul>
      {renamed && <RenameDialog passkey={renamed} onClose={() => setRenamed(null)} />}
    </>
  )
}
