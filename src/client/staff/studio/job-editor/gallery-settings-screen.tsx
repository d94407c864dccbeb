import { fromDateTimeInput, laterThan, toDateTimeInput } from '#client/staff/kit/form/datetime-input.ts'
import { EditForm } from '#client/staff/kit/form/edit-form.tsx'
import { CheckField, FieldPair, SelectField, TextField } from '#client/staff/kit/form/form-fields.tsx'
import { useStudio } from '#client/staff/kit/routing/staff-context.ts'
import type { JobParams } from '#client/staff/kit/routing/staff-urls.ts'
import { type JobSettings, patchGallery } from '#contract/studio/job-settings.ts'
import type { Rules } from '#domain/shared/validators.ts'
import { Notice } from '#ui/feedback/notice.tsx'
import { FormSection, JobSettingsLayout } from './job-settings-layout.tsx'
import { useJobSettingsForm } from './use-job-settings-form.ts'

type GallerySettings = {
  enabled: boolean
  isPublic: boolean
  opensAt: string
  closesAt: string
  expiresOn: string
  importedData: boolean
  enableYearBookPoseSelection: boolean
  yearBookPoseExpiresAt: string
  watermarkId: string
}

const valuesOf = ({ gallery, timeZone }: JobSettings): GallerySettings => {
  const { isYearBookPoseSelectionExpired: _, ...values } = gallery
  return {
    ...values,
    opensAt: toDateTimeInput(gallery.opensAt, timeZone),
    closesAt: toDateTimeInput(gallery.closesAt, timeZone),
    expiresOn: gallery.expiresOn ?? '',
    yearBookPoseExpiresAt: toDateTimeInput(gallery.yearBookPoseExpiresAt, timeZone),
    watermarkId: String(gallery.watermarkId ?? ''),
  }
}

const createBodyOf =
  (timeZone: string) =>
  ({ opensAt, closesAt, expiresOn, yearBookPoseExpiresAt, watermarkId, ...values }: GallerySettings) => ({
    ...values,
    opensAt: fromDateTimeInput(opensAt, timeZone),
    closesAt: fromDateTimeInput(closesAt, timeZone),
    expiresOn: expiresOn || null,
    yearBookPoseExpiresAt: fromDateTimeInput(yearBookPoseExpiresAt, timeZone),
    watermarkId: watermarkId === '' ? null : Number(watermarkId),
  })

const rules: Rules<GallerySettings> = { closesAt: laterThan(({ opensAt }) => opensAt) }

const labels = {
  enabled: 'Gallery',
  isPublic: 'Public gallery',
  opensAt: 'Opens',
  closesAt: 'Closes',
  expiresOn: 'Online until',
  importedData: 'Data from a list',
  enableYearBookPoseSelection: 'Yearbook photo',
  yearBookPoseExpiresAt: 'Yearbook deadline',
  watermarkId: 'Watermark',
}

const GalleryForm = ({ params, settings }: { params: JobParams; settings: JobSettings }) => {
  const { features } = useStudio()
  const { timeZone, watermarks, gallery } = settings
  const bodyOf = createBodyOf(timeZone)
  const edit = useJobSettingsForm<GallerySettings>({
    params,
    settings,
    tab: 'gallery',
    call: patchGallery,
    valuesOf,
    bodyOf,
    rules,
  })
  return (
    <EditForm edit={edit} labels={labels}>
      <FormSection title="The gallery" lead={`Times are those of ${timeZone.replaceAll('_', ' ')}.`}>
        <CheckField name="enabled" label="Parents choose from published images" />
        <CheckField
          name="isPublic"
          label="Public gallery"
          hint="Anyone with the code sees all images. Use for teams, not schools"
        />
        <FieldPair>
          <TextField name="opensAt" label="Opens" type="datetime-local" optional />
          <TextField name="closesAt" label="Ordering closes" type="datetime-local" optional />
        </FieldPair>
        <TextField
          name="expiresOn"
          label="Online until"
          type="date"
          optional
          hint="Inclusive. After that day images are offline"
        />
        <CheckField
          name="importedData"
          label="Names and other data come from a list"
          hint="Texts on prints are filled in from it, not asked for"
        />
        {watermarks.length > 0 && (
          <SelectField
            name="watermarkId"
            label="Watermark"
            hint="On previews of images uploaded from now on"
            options={[
              { value: '', label: 'Default' },
              ...watermarks.map(({ id, name }) => ({ value: String(id), label: name })),
            ]}
          />
        )}
      </FormSection>
      <FormSection title="Yearbook">
        {!features.has('yearbookPose') && (
          <Notice>Your studio doesn’t have the yearbook feature. Parents see this once it does.</Notice>
        )}
        <CheckField
          name="enableYearBookPoseSelection"
          label="Parents choose the yearbook photo"
          hint="If their child has more than one photo"
        />
        <TextField name="yearBookPoseExpiresAt" label="Until" type="datetime-local" optional />
        {gallery.enableYearBookPoseSelection && gallery.isYearBookPoseSelectionExpired && (
          <Notice tone="attention">Yearbook choices are closed.</Notice>
        )}
      </FormSection>
    </EditForm>
  )
}

/** Gallery settings: dates, access, and the deadline for the yearbook pose. */
export const GallerySettingsScreen = (params: JobParams) => (
  <JobSettingsLayout params={params} tail="settings/gallery">
    {(settings) => <GalleryForm params={params} settings={settings} />}
  </JobSettingsLayout>
)
