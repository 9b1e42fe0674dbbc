@echo off
chcp 65001 >nul
rem 按兩下就打開遊戲（Windows）。Double-click to open the games; what follows the name goes to `coursekit serve`.
cd /d "%~dp0"
if exist .venv\Scripts\coursekit.exe goto open

set "python=py -3"
py -3 --version >nul 2>nul
if errorlevel 1 set "python=python"
%python% --version >nul 2>nul
if errorlevel 1 (
  echo 找不到 Python。請到 https://www.python.org/downloads/ 安裝 3.11 以上，再按兩下這個檔案。
  echo Python is not installed. Get 3.11 or newer from https://www.python.org/downloads/, then open this file again.
  goto stop
)
%python% -c "import sys; sys.exit(sys.version_info < (3, 11))"
if errorlevel 1 (
  echo 這台電腦的 Python 太舊。請到 https://www.python.org/downloads/ 安裝 3.11 以上，再按兩下這個檔案。
  echo Python is too old. Get 3.11 or newer from https://www.python.org/downloads/, then open this file again.
  goto stop
)
echo 第一次要安裝，需要網路和幾分鐘，約 500 MB。The first time installs about 500 MB: some minutes, with a network.
%python% -m venv .venv
if not errorlevel 1 .venv\Scripts\python -m pip install -q -c constraints.txt -e ".[lab]"
if errorlevel 1 (
  echo 沒有裝好，原因在上面。網路通了以後，再按兩下這個檔案。
  echo It could not be installed; the reason stands above. Open this file again once there is a network.
  goto stop
)

:open
.venv\Scripts\coursekit serve %*
if not errorlevel 1 goto :eof
echo 沒有打開，原因在上面。It did not open; the reason stands above.

:stop
pause
exit /b 1
