import { OverlaysProvider } from '@blueprintjs/core'
import '@blueprintjs/core/lib/css/blueprint.css'
import './ui/theme.css'
import './ui/blueprint.css'
import './ui/overlays.css' // what is global stands before every module, and is overruled by any that says as much
import { createRoot } from 'react-dom/client'
import { Router } from 'wouter'
import { resume } from './session.ts'
import { App } from './shell/App.tsx'
import { watchForUpdates } from './shell/update.ts'
import { keepPresses } from './ui/keys.ts'
import { aroundNav } from './ui/unsaved.ts'

void resume()
watchForUpdates()
keepPresses()
// Of BlueprintProvider only this: its hotkeys bring a dialog into the first page, and ui/keys.ts has ours.
createRoot(document.getElementById('root')!).render(
  <OverlaysProvider>
    <Router aroundNav={aroundNav}>
      <App />
    </Router>
  </OverlaysProvider>,
)
