-- Without a window, for machines without a screen: QUADRILLE_HEADLESS=1 love .
function love.conf(settings)
  settings.window.title = "quadrille"
  if os.getenv("QUADRILLE_HEADLESS") then
    settings.modules.window = false
    settings.modules.graphics = false
    settings.modules.audio = false
  end
end
