import { useImageUpload } from '#client/staff/kit/form/use-image-upload.tsx'
import { useStaffMutation } from '#client/staff/kit/query/use-staff-mutation.ts'
import { Panel } from '#client/staff/kit/screen/panel.tsx'
import { deleteLogo, putLogo, type Studio } from '#contract/studio/studio.ts'
import { Button } from '#ui/button/button.tsx'
import { confirm } from '#ui/dialog/confirm.ts'
import { MessageList } from '#ui/form/message-list.tsx'
import { accentBackgrounds } from '#ui/theme/accent.ts'
import { toast } from '#ui/toast/toast.ts'
import styles from './logo-panel.module.css'

const panelLead = 'A JPEG, PNG or WebP of up to 5 MB. It appears on your pages right away.'

/**
 * Colors of the preview in both themes, independent of the current theme. Logos are usually made for a white background, so the dark
 * theme shows them on a light plate.
 */
const themePreviews = [
  {
    theme: 'light',
    style: { background: accentBackgrounds.light[2], color: accentBackgrounds.dark[3] },
    plate: undefined,
  },
  {
    theme: 'dark',
    style: { background: accentBackgrounds.dark[2], color: accentBackgrounds.light[0] },
    plate: accentBackgrounds.light[3],
  },
] as const

const LogoPreview = ({ studio }: { studio: Studio }) => (
  <ul className={styles.previews}>
    {themePreviews.map(({ theme, style, plate }) => (
      <li key={theme} className={styles.preview} style={style}>
        {studio.logo ? (
          <img src={studio.logo} alt={`The logo as customers see it, ${theme}`} style={{ background: plate }} />
        ) : (
          <span className={styles.initial}>{studio.name.slice(0, 1)}</span>
        )}
      </li>
    ))}
  </ul>
)

/** Previews the studio's logo in both themes. It can be replaced and removed. */
export const LogoPanel = ({ studio }: { studio: Studio }) => {
  const { mutate } = useStaffMutation(putLogo)
  const removal = useStaffMutation(deleteLogo)
  const params = { studioId: studio.id }
  const { errors, clearErrors, renderButton } = useImageUpload({
    label: 'Logo',
    accept: 'image/jpeg,image/png,image/webp',
    send: async (form) => {
      const answer = await mutate({ params, form }, { onError: 'silent' })
      if (answer.ok) toast('The logo is on your customers’ pages', 'success')
      return answer
    },
  })

  const remove = async () => {
    const title = 'Remove the logo?'
    const message = 'Customers see the studio’s name instead.'
    if (!(await confirm({ title, message, confirmText: 'Remove', danger: true }))) return
    clearErrors()
    await removal.mutate({ params })
  }
  return (
    <Panel title="Logo" lead={panelLead}>
      <LogoPreview studio={studio} />
      <div className={styles.actions}>
        {renderButton(studio.logo ? 'Replace logo' : 'Upload logo')}
        {studio.logo && (
          <Button variant="quiet" loading={removal.busy} onClick={() => void remove()}>
            Remove
          </Button>
        )}
      </div>
      <div role="alert" className={styles.errors}>
        <MessageList messages={errors} />
      </div>
    </Panel>
  )
}
