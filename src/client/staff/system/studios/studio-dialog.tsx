import { EditForm } from '#client/staff/kit/form/edit-form.tsx'
import { FieldPair, TextField } from '#client/staff/kit/form/form-fields.tsx'
import { formatHundredths, hundredthsInput, hundredthsOf } from '#client/staff/kit/form/hundredths.ts'
import { useResourceForm } from '#client/staff/kit/resource/use-resource-form.ts'
import { getPlatformStudio, postPlatformStudio, putPlatformStudio, type StudioRow } from '#contract/system/studios.ts'
import { type NewStudioDraft, newStudioRules, platformStudioRules } from '#domain/platform/platform-studio.ts'
import { parsedRules } from '#domain/shared/derived-rules.ts'
import { Dialog } from '#ui/dialog/dialog.tsx'
import { toast } from '#ui/toast/toast.ts'

/** The fee is a percentage as text until it is saved. The owner's fields are those of a new studio. */
type Model = {
  name: string
  slug: string
  email: string
  phone: string
  platformFeeBasisPoints: string
  ownerName: string
  ownerEmail: string
}

const modelOf = (studio: StudioRow | null): Model => ({
  name: studio?.name ?? '',
  slug: studio?.slug ?? '',
  email: studio?.email ?? '',
  phone: studio?.phone ?? '',
  platformFeeBasisPoints: formatHundredths(studio?.platformFeeBasisPoints ?? 0, 0),
  ownerName: '',
  ownerEmail: '',
})

const toNewDraft = ({ platformFeeBasisPoints, ...texts }: Model): NewStudioDraft => ({
  ...texts,
  platformFeeBasisPoints: hundredthsOf(platformFeeBasisPoints) ?? Number.NaN,
})

const toDraft = (model: Model) => {
  const { ownerName: _, ownerEmail: __, ...draft } = toNewDraft(model)
  return draft
}

const newRules = parsedRules(newStudioRules, toNewDraft)
const rules = parsedRules(platformStudioRules, toDraft)
const calls = { get: getPlatformStudio, post: postPlatformStudio, put: putPlatformStudio }

const labels = {
  name: 'Name',
  slug: 'Address',
  email: 'Contact email',
  phone: 'Contact phone',
  platformFeeBasisPoints: 'Platform fee',
  ownerName: 'Owner’s name',
  ownerEmail: 'Owner’s email',
} as const

/** Edits a studio, or creates one for null and invites its owner. */
export const StudioDialog = ({ studio, onClose }: { studio: StudioRow | null; onClose: () => void }) => {
  const edit = useResourceForm<Model, StudioRow>({
    ...{ noun: 'studio', record: studio, modelOf, calls },
    ...(studio ? { toDraft, rules } : { toDraft: toNewDraft, rules: newRules }),
    onSaved: () => {
      if (!studio) toast('The studio is created, and an invitation is on its way to its owner', 'success')
      onClose()
    },
  })
  return (
    <Dialog open onClose={onClose} title={studio ? 'Edit studio' : 'New studio'}>
      <EditForm edit={edit} labels={labels}>
        <TextField name="name" label={labels.name} maxLength={120} required />
        <TextField
          name="slug"
          label={labels.slug}
          hint={studio ? 'Links with the former address still work' : 'Small letters, digits and dashes'}
          maxLength={63}
          autoCapitalize="none"
          spellCheck={false}
          required
        />
        {!studio && (
          <>
            <TextField name="ownerName" label={labels.ownerName} maxLength={100} autoComplete="off" required />
            <TextField
              name="ownerEmail"
              label={labels.ownerEmail}
              hint="They get a link that works for seven days"
              type="email"
              autoComplete="off"
              maxLength={254}
              required
            />
          </>
        )}
        <FieldPair>
          <TextField name="email" label={labels.email} type="email" autoComplete="off" maxLength={254} optional />
          <TextField name="phone" label={labels.phone} type="tel" autoComplete="off" maxLength={40} optional />
        </FieldPair>
        <TextField
          name="platformFeeBasisPoints"
          label={labels.platformFeeBasisPoints}
          hint="Percent of each payment"
          {...hundredthsInput}
          required
        />
      </EditForm>
    </Dialog>
  )
}
