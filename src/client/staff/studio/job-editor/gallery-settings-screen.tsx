import { EditForm } from '#client/staff/kit/form/edit-form.tsx'
import { CheckField, SelectField, TextField } from '#client/staff/kit/form/form-fields.tsx'
import { useStudio } from '#client/staff/kit/routing/staff-context.ts'
import type { JobPlace } from '#client/staff/kit/routing/staff-urls.ts'
import { type JobSettings, patchGallery } from '#contract/studio/job-settings.ts'
import type { Rules } from '#domain/shared/validators.ts'
import { Notice } from '#ui/feedback/notice.tsx'
import { isLater, saidTime, shownTime } from './datetime-input.ts'
import { Pair, Part } from './form-section.tsx'
import { SettingsFrame } from './job-settings-layout.tsx'
import { useSettingsForm } from './use-job-settings-form.ts'

type Gallery = {
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

const valuesOf = ({ gallery, timeZone }: JobSettings): Gallery => {
  const { isYearBookPoseSelectionExpired: _, ...values } = gallery
  return {
    ...values,
    opensAt: shownTime(gallery.opensAt, timeZone),
    closesAt: shownTime(gallery.closesAt, timeZone),
    expiresOn: gallery.expiresOn ?? '',
    yearBookPoseExpiresAt: shownTime(gallery.yearBookPoseExpiresAt, timeZone),
    watermarkId: String(gallery.watermarkId ?? ''),
  }
}

const bodyFor =
  (timeZone: string) =>
  ({ opensAt, closesAt, expiresOn, yearBookPoseExpiresAt, watermarkId, ...values }: Gallery) => ({
    ...values,
    opensAt: saidTime(opensAt, timeZone),
    closesAt: saidTime(closesAt, timeZone),
    expiresOn: expiresOn || null,
    yearBookPoseExpiresAt: saidTime(yearBookPoseExpiresAt, timeZone),
    watermarkId: watermarkId === '' ? null : Number(watermarkId),
  })

const rules: Rules<Gallery> = { closesAt: isLater(({ opensAt }) => opensAt) }

const labels = {
  enabled: 'Gallery',
  isPublic: 'Public gallery',
  opensAt: 'Opens',
  closesAt: 'Closes',
  expiresOn: 'Online until',
  importedData: 'Data from a list',
  enableYearBookPoseSelection: 'Year-book poses',
  yearBookPoseExpiresAt: 'Last moment for a pose',
  watermarkId: 'Watermark',
}

const GalleryForm = ({ place, settings }: { place: JobPlace; settings: JobSettings }) => {
  const { features } = useStudio()
  const { timeZone, watermarks, gallery } = settings
  const bodyOf = bodyFor(timeZone)
  const edit = useSettingsForm<Gallery>({
    place,
    settings,
    tab: 'gallery',
    call: patchGallery,
    valuesOf,
    bodyOf,
    rules,
  })
  return (
    <EditForm edit={edit} labels={labels}>
      <Part title="The gallery" said={`Times are those of ${timeZone.replaceAll('_', ' ')}.`}>
        <CheckField name="enabled" label="Parents choose among published pictures" />
        <CheckField
          name="isPublic"
          label="Public gallery"
          hint="Everybody with the event’s code sees every picture of it. Right for a team, seldom for a school"
        />
        <Pair>
          <TextField name="opensAt" label="Opens" type="datetime-local" optional />
          <TextField name="closesAt" label="Ordering closes" type="datetime-local" optional />
        </Pair>
        <TextField
          name="expiresOn"
          label="Online until"
          type="date"
          optional
          hint="Included. After that day nobody sees the pictures"
        />
        <CheckField
          name="importedData"
          label="Names and other data come from a list"
          hint="Texts on prints are filled in from it, and are not asked for"
        />
        {watermarks.length > 0 && (
          <SelectField
            name="watermarkId"
            label="Watermark"
            hint="Over previews of pictures that are uploaded from now on"
            options={[
              { value: '', label: 'The usual one' },
              ...watermarks.map(({ id, name }) => ({ value: String(id), label: name })),
            ]}
          />
        )}
      </Part>
      <Part title="Year book">
        {!features.has('yearbookPose') && (
          <Notice>Your studio does not have year-book poses. What you set here shows to parents once it does.</Notice>
        )}
        <CheckField
          name="enableYearBookPoseSelection"
          label="Parents choose the pose for the year book"
          hint="Where there is more than one picture of their child"
        />
        <TextField name="yearBookPoseExpiresAt" label="Until" type="datetime-local" optional />
        {gallery.enableYearBookPoseSelection && gallery.isYearBookPoseSelectionExpired && (
          <Notice tone="attention">That time is over: nobody chooses a pose any more.</Notice>
        )}
      </Part>
    </EditForm>
  )
}

/** When and to whom pictures are shown, and until when a pose for the year book is chosen. */
export const GalleryScreen = (place: JobPlace) => (
  <SettingsFrame place={place} tail="settings/gallery">
    {(settings) => <GalleryForm place={place} settings={settings} />}
  </SettingsFrame>
)
