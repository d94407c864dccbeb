import { useWatch } from 'react-hook-form'
import { EditForm } from '#client/staff/kit/form/edit-form.tsx'
import { CheckField, SelectField, TextField } from '#client/staff/kit/form/form-fields.tsx'
import { allStudios, optionsOf, useStudioOptions } from '#client/staff/kit/list/list-filter.tsx'
import { useResourceForm } from '#client/staff/kit/resource/use-resource-form.ts'
import { getWatermark, type PlatformWatermark, postWatermark, putWatermark } from '#contract/system/watermarks.ts'
import {
  maxMarkLength,
  type WatermarkDraft,
  type WatermarkKind,
  type WatermarkPlacement,
  watermarkKinds,
  watermarkPlacements,
  watermarkRules,
} from '#domain/platform/watermark.ts'
import { parsedRules } from '#domain/shared/derived-rules.ts'
import { parseNumber } from '#domain/shared/validators.ts'
import { Dialog } from '#ui/dialog/dialog.tsx'
import { WatermarkImage } from './watermark-image.tsx'
import { WatermarkSample } from './watermark-sample.tsx'

/** The opacity and the studio are text until they are saved. */
type Model = {
  name: string
  kind: WatermarkKind
  text: string
  imageHash: string | null
  opacityPercent: string
  placement: WatermarkPlacement
  studioId: string
  isDefault: boolean
}

const modelOf = (watermark: PlatformWatermark | null): Model => ({
  name: watermark?.name ?? '',
  kind: watermark?.kind ?? 'text',
  text: watermark?.text ?? '',
  imageHash: watermark?.imageHash ?? null,
  opacityPercent: String(watermark?.opacityPercent ?? 40),
  placement: watermark?.placement ?? 'tile',
  studioId: String(watermark?.studioId ?? ''),
  isDefault: watermark?.isDefault ?? false,
})

const toDraft = ({ opacityPercent, studioId, ...values }: Model): WatermarkDraft => ({
  ...values,
  opacityPercent: parseNumber(opacityPercent),
  studioId: studioId === '' ? null : Number(studioId),
})

const rules = parsedRules(watermarkRules, toDraft)
const calls = { get: getWatermark, post: postWatermark, put: putWatermark }

const labels = {
  name: 'Name',
  kind: 'Shows',
  text: 'Text',
  opacityPercent: 'Opacity',
  placement: 'Pattern',
  studioId: 'Studio',
  isDefault: 'Default',
} as const

const WatermarkFields = () => {
  const model = useWatch<Model>() as Model // the form has a default for every field
  const studioOptions = useStudioOptions()
  return (
    <>
      <WatermarkSample draft={toDraft(model)} />
      <TextField name="name" label={labels.name} maxLength={200} required />
      <SelectField name="kind" label={labels.kind} options={optionsOf(watermarkKinds)} required />
      {model.kind === 'text' ? (
        <TextField
          name="text"
          label={labels.text}
          hint="Drawn in capitals. Letters that cannot be drawn are left out"
          maxLength={maxMarkLength}
          required
        />
      ) : (
        <WatermarkImage />
      )}
      <SelectField name="placement" label={labels.placement} options={optionsOf(watermarkPlacements)} required />
      <TextField
        name="opacityPercent"
        label={labels.opacityPercent}
        hint="In percent, from 5 to 100"
        inputMode="numeric"
        required
      />
      <SelectField name="studioId" label={labels.studioId} options={[allStudios, ...studioOptions]} />
      <CheckField name="isDefault" label="Previews have it unless their job has another one" />
    </>
  )
}

type WatermarkDialogProps = { watermark: PlatformWatermark | null; onClose: () => void }

/** Edits a watermark, or creates one for null. Photos show it as it is edited. */
export const WatermarkDialog = ({ watermark, onClose }: WatermarkDialogProps) => {
  const edit = useResourceForm<Model, PlatformWatermark>({
    ...{ noun: 'watermark', record: watermark, modelOf, toDraft, rules, calls },
    onSaved: onClose,
  })
  return (
    <Dialog open onClose={onClose} title={watermark ? 'Edit watermark' : 'New watermark'}>
      <EditForm edit={edit} labels={labels}>
        <WatermarkFields />
      </EditForm>
    </Dialog>
  )
}
