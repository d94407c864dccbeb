import { EditForm } from '#client/staff/kit/form/edit-form.tsx'
import { CheckField, TextField } from '#client/staff/kit/form/form-fields.tsx'
import { useResourceForm } from '#client/staff/kit/resource/use-resource-form.ts'
import {
  getPlatformFeature,
  type PlatformFeature,
  postPlatformFeature,
  putPlatformFeature,
} from '#contract/system/platform-features.ts'
import { type FeatureDraft, featureRules } from '#domain/platform/feature-draft.ts'
import { Dialog } from '#ui/dialog/dialog.tsx'

const modelOf = (feature: PlatformFeature | null): FeatureDraft => ({
  identifier: feature?.identifier ?? '',
  name: feature?.name ?? '',
  description: feature?.description ?? '',
  isDefault: feature?.isDefault ?? false,
})
const toDraft = (model: FeatureDraft): FeatureDraft => model
const calls = { get: getPlatformFeature, post: postPlatformFeature, put: putPlatformFeature }

const labels = {
  name: 'Name',
  identifier: 'Identifier',
  description: 'Description',
  isDefault: 'New studios have it',
} as const

type FeatureDialogProps = { feature: PlatformFeature | null; onClose: () => void }

/** Edits a feature, or creates one for null. */
export const FeatureDialog = ({ feature, onClose }: FeatureDialogProps) => {
  const edit = useResourceForm<FeatureDraft, PlatformFeature>({
    ...{ noun: 'feature', record: feature, modelOf, toDraft, rules: featureRules, calls },
    onSaved: onClose,
  })
  return (
    <Dialog open onClose={onClose} title={feature ? 'Edit feature' : 'New feature'} size="small">
      <EditForm edit={edit} labels={labels}>
        <TextField name="name" label={labels.name} maxLength={100} required />
        <TextField
          name="identifier"
          label={labels.identifier}
          hint="What the code calls it; it stays once studios have it"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={60}
          required
        />
        <TextField name="description" label={labels.description} type="textarea" rows={2} maxLength={500} optional />
        <CheckField name="isDefault" label={labels.isDefault} hint="Studios that exist keep what they have" />
      </EditForm>
    </Dialog>
  )
}
