import { Button } from '@blueprintjs/core'
import { VolumeOff, VolumeUp } from '@blueprintjs/icons'
import { useAtomValue } from 'jotai'
import { useWords } from '#web/i18n.ts'
import { shellWords } from '#web/shell/words.ts'
import { phoneAtom } from '#web/ui/breakpoints.ts'
import { PopoverButton } from '#web/ui/PopoverButton.tsx'
import { isQuietAtom, notificationSettingsAtom, soundBlockedAtom } from './atoms.ts'

/** The volume and other choices about sounds and notices, in the top bar (R-LAYOUT-08); a phone has them in the list of notifications. */
export function SoundButton() {
  const t = useWords(shellWords)
  const { volume, messageSound, waitingSound } = useAtomValue(notificationSettingsAtom)
  const isQuiet = useAtomValue(isQuietAtom)
  const isBlocked = useAtomValue(soundBlockedAtom)
  const isPhone = useAtomValue(phoneAtom)
  const isSilent = isQuiet || volume === 0 || !(messageSound || waitingSound)
  const label = t(isSilent ? 'soundOff' : 'sound')
  return (
    <>
      {isBlocked && !isSilent && (
        <span role="status" data-part="sound-blocked" title={t('soundBlocked')}>
          {/* any click lets the browser play; `startNotifier` listens for it */}
          <Button
            size="small"
            variant="outlined"
            intent="warning"
            icon={<VolumeOff />}
            aria-label={t('allowSound')}
            {...(!isPhone && { text: t('allowSound') })}
          />
        </span>
      )}
      {!isPhone && (
        <PopoverButton
          label={t('sound')}
          content={async () => (await import('./SoundSettings.tsx')).SoundSettings}
          button={<Button variant="minimal" icon={isSilent ? <VolumeOff /> : <VolumeUp />} aria-label={label} title={label} />}
        />
      )}
    </>
  )
}
