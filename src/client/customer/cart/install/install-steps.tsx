import Share from 'lucide-react/icons/share'
import SquarePlus from 'lucide-react/icons/square-plus'
import styles from '#client/customer/shared/layout/layout.module.css'
import { Dialog } from '#ui/dialog/dialog.tsx'
import { Icon } from '#ui/icon.tsx'

type InstallStepsProps = { open: boolean; onClose: () => void }

/** The manual steps for installing on iPhone and iPad, which have no install prompt. */
export const InstallSteps = ({ open, onClose }: InstallStepsProps) => (
  <Dialog open={open} onClose={onClose} title="Add to your home screen" size="small">
    <ol className={styles.steps}>
      <li>
        <Icon of={Share} size={24} />
        Tap “Share” in the browser’s bar.
      </li>
      <li>
        <Icon of={SquarePlus} size={24} />
        Choose “Add to Home Screen”.
      </li>
    </ol>
    <p>It may ask for your event code again.</p>
  </Dialog>
)
