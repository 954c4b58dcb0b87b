import { BlueprintProvider } from '@blueprintjs/core'
import '@blueprintjs/core/lib/css/blueprint.css'
import '@blueprintjs/select/lib/css/blueprint-select.css'
import { createRoot } from 'react-dom/client'
import { resume } from './session.ts'
import { App } from './shell/App.tsx'
import './ui/theme.css'
import './ui/blueprint.css'

void resume()
createRoot(document.getElementById('root')!).render(
  <BlueprintProvider>
    <App />
  </BlueprintProvider>,
)
